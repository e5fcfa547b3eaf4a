import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, PaymentAccess } from "#app/app.ts";
import { eventRetentionMs } from "#app/modules/stripe-events/inbox.rules.ts";
import { addFraudWarning, listUnreadWarnings, removeOldFraudWarnings } from "../fraud-warnings.queries.server.ts";

/** Warnings per run of the cron job. */
const warningsMax = 5;

/**
 * The cron job's part: reads from Stripe what its events warn of, whose contents aren't trusted, and removes old warnings. One that Stripe
 * doesn't answer about is read by the next run.
 */
export async function readFraudWarnings(app: Pick<Base, "db" | "clock"> & PaymentAccess): Promise<void> {
  const { db, clock } = app;
  const now = clock();
  const { unread } = await batchNamed(db, {
    unread: listUnreadWarnings(db, now - eventRetentionMs, warningsMax),
    removed: removeOldFraudWarnings(db, now),
  });
  const payments = app.payments?.withOwnDeadline();
  for (const { eventId, paymentId } of payments ? unread : []) {
    const found = await payments?.findFraudWarning(paymentId);
    if (!found?.ok) return;
    const { fraudType = null, warnedAt = now, invoiceId = null } = found.value ?? {};
    await addFraudWarning(db, { eventId, paymentId, fraudType, warnedAt, invoiceId });
  }
}
