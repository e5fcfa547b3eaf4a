import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { newId } from "#app/core/id.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { consumeEmailQuota, findFull } from "#app/modules/codes/email-quotas.queries.server.ts";
import { quotaConsumed } from "#app/modules/codes/quota-uses.queries.server.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { sealConfirmation } from "../confirmation-email.server.ts";
import { quotasOfWaiting } from "../cancellations.rules.ts";
import {
  changeToConfirmed,
  listDueCancellations,
  listUnconfirmed,
  postponeConfirmation,
  removeOldCancellations,
} from "../queries.server.ts";
import { carryOutCancellation } from "./carry-out-cancellation.server.ts";

/** So that a run of the cron job stays short. */
const perRunMax = 25;

/** For the cron job: confirms what had to wait, cancels plans for which Stripe didn't answer or a later day was wanted, removes old rows. */
export async function sweepCancellations(app: App): Promise<void> {
  const { db } = app;
  const now = app.clock();
  const { unconfirmed, due } = await batchNamed(db, {
    unconfirmed: listUnconfirmed(db, now, perRunMax),
    due: listDueCancellations(db, now, perRunMax),
    old: removeOldCancellations(db, now),
  });
  for (const row of unconfirmed) await confirmWaiting(app, row);
  for (const { id } of due) await carryOutCancellation(app, id);
}

/** Queues a confirmation as soon as each of its quotas has room. */
async function confirmWaiting(app: App, row: Awaited<ReturnType<typeof listUnconfirmed>>[number]): Promise<void> {
  const { db } = app;
  const now = app.clock();
  const [first, ...others] = quotasOfWaiting(row.confirmQuotas ?? []);
  if (!first) return;
  const use = { id: newId("use", app.random), now, quotas: [first, ...others] as const };
  const confirmation = await sealConfirmation(app, row);
  const { full, confirmed } = await batchNamed(db, {
    full: findFull(db, use),
    quota: consumeEmailQuota(db, use),
    email: addEmail(db, confirmation, quotaConsumed(use)),
    confirmed: changeToConfirmed(db, row.id, quotaConsumed(use)),
  });
  if (confirmed.meta.changes === 1) {
    app.later(deliverEmail(app, confirmation.id));
    return;
  }
  const roomAt = Math.max(now + minuteMs, ...full.map(({ retryAt }) => retryAt));
  await postponeConfirmation(db, row.id, roomAt);
}
