import type { Base } from "#app/app.ts";
import { newId } from "#app/core/id.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { consumeEmailQuota, findFull } from "../email-quotas.queries.server.ts";
import { emailWaits, endWaiting, postponeWaitingEmail } from "../waiting-emails.queries.server.ts";
import { listWaitingEmails } from "../everyone.queries.server.ts";

/** So that a run of the cron job stays short. */
const perRunMax = 25;

/** For the cron job, before the outbox: emails that waited are due as soon as each of their quotas has room. */
export async function releaseWaitingEmails(app: Base): Promise<void> {
  for (const row of await listWaitingEmails(app.db, app.clock(), perRunMax)) await release(app, row);
}

async function release(app: Base, { emailId, quotas }: Awaited<ReturnType<typeof listWaitingEmails>>[number]) {
  const { db } = app;
  const now = app.clock();
  const [first, ...others] = quotas;
  if (!first) return;
  const use = { id: newId("use", app.random), now, quotas: [first, ...others] as const };
  const {
    full,
    counted: [counted],
  } = await batchNamed(db, {
    full: findFull(db, use),
    counted: consumeEmailQuota(db, use, emailWaits(emailId)),
    ended: endWaiting(db, emailId, use),
  });
  if (counted.meta.changes === 1) return;
  await postponeWaitingEmail(db, emailId, Math.max(now + minuteMs, ...full.map(({ retryAt }) => retryAt)));
}
