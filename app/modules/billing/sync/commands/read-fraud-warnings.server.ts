import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, PaymentAccess } from "#app/app.ts";
import { eventRetentionMs } from "../inbox.rules.ts";
import type { EventId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import { addFraudWarning } from "../fraud-warnings.queries.server.ts";
import { listUnreadWarnings, removeOldFraudWarnings } from "../everyone.queries.server.ts";
import { unknownFraudType } from "../fraud-warnings.rules.ts";

/** Warnings per run of the cron job. */
const warningsMax = 5;

type Deps = Pick<Base, "db" | "clock"> & PaymentAccess & Pick<Outbox, "report">;

/**
 * The cron job's part: reads from Stripe what its events warn of, whose contents aren't trusted, and removes old warnings. One that Stripe
 * doesn't answer about is read by the next run. One that Stripe refuses to tell more of is reported and listed without its order, and
 * asked for again after those that haven't been asked for.
 */
export async function readFraudWarnings(app: Deps): Promise<void> {
  const { db, clock } = app;
  const now = clock();
  const { unread } = await batchNamed(db, {
    unread: listUnreadWarnings(db, now - eventRetentionMs, warningsMax),
    removed: removeOldFraudWarnings(db, now),
  });
  const payments = app.payments?.withOwnDeadline();
  for (const event of payments ? unread : []) {
    const found = await payments?.findFraudWarning(event.paymentId);
    if (found?.ok) {
      const { fraudType = null, warnedAt = event.receivedAt, invoiceId = null } = found.value ?? {};
      await addFraudWarning(db, { ...event, fraudType, warnedAt, invoiceId });
    } else if (found?.refusal.reason === "provider-refused") await listRefused(app, event, found.refusal.code);
    else return;
  }
}

type Unread = { eventId: EventId; paymentId: PaymentIntentId; receivedAt: number };

/** Reports it once, since it stays listed. */
async function listRefused({ db, report }: Deps, event: Unread, code: string): Promise<void> {
  const unknown = { fraudType: unknownFraudType, warnedAt: event.receivedAt, invoiceId: null };
  const { meta } = await addFraudWarning(db, { ...event, ...unknown });
  if (meta.changes === 1) report(new Error(`Stripe refused to say what a bank warns of: ${code}`));
}
