import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { quotaHits } from "./schema.ts";
import { type Full, type Quota, quotaWindowMs, siteQuota } from "./mail-quotas.rules.ts";
import { addUse, isFree, takeUses, usesTaken } from "./uses.queries.server.ts";

export type MailUse<Reason extends string> = {
  id: string;
  now: number;
  quotas: readonly [Quota<Reason>, ...Quota<Reason>[]];
};

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** Those of some quotas that have no room, in their order, each with the time when its oldest use that counts is over. */
export function findFull<Reason extends string>(db: Database, { quotas, now }: MailUse<Reason>) {
  const asked = JSON.stringify(quotas.map(({ windowMs, ...quota }) => ({ ...quota, windowMs, since: now - windowMs })));
  // Of each quota its newest uses are counted; the one that fills it is the one whose end makes room.
  const counted = sql`(
    select quota.key, quota.value ->> 'reason' as reason, quota.value ->> 'max' as max,
      used_at + (quota.value ->> 'windowMs') as retry_at,
      row_number() over (partition by quota.key order by used_at desc) as nth
    from json_each(${asked}) quota
    cross join ${quotaHits} on budget = quota.value ->> 'name' and used_at > quota.value ->> 'since') counted`;
  return db
    .select({ reason: sql<Full<Reason>["reason"]>`reason`, retryAt: sql<number>`retry_at` })
    .from(counted)
    .where(sql`nth = max`)
    .orderBy(sql`key`);
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** Takes one email from each quota, or from none, when `guard` holds. What follows in the batch asks `usesTaken`. */
export function takeMail<Reason extends string>(
  db: Database,
  { id, now, quotas }: MailUse<Reason>,
  guard: SQL = sql`true`,
) {
  return takeUses(db, { id, now, quotas: quotas }, guard);
}

/** Notes, once an hour, that the site's quota refused an email: whoever wrote the row reports it. */
export function noteSiteFull<Reason extends string>(db: Database, use: MailUse<Reason>) {
  const { id, now } = use;
  const reports = { name: `${siteQuota.name}.reported`, max: 1, windowMs: quotaWindowMs };
  const counts = use.quotas.map(({ name }) => name).includes(siteQuota.name);
  const isRefused = counts ? sql`not ${isFree(siteQuota, now)}` : sql`false`;
  return addUse(
    db,
    { id: `${id}.reported`, quota: reports.name, now },
    sql`${isRefused} and not ${usesTaken(use)} and ${isFree(reports, now)}`,
  );
}

export class SiteQuotaUsedUp extends Error {
  constructor() {
    super(`Strangers had ${siteQuota.max} emails sent within an hour: further ones are refused`);
  }
}
