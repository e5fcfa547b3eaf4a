import type { Id } from "#app/core/id.ts";
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { quotaUses } from "./schema.ts";
import { type Full, type Quota, quotaWindowMs, siteQuotaName } from "./email-quotas.rules.ts";
import { addUse, isFree, consumeQuotas, quotaConsumed } from "./quota-uses.queries.server.ts";

export type EmailQuotaHit<Reason extends string> = {
  id: Id<"use">;
  now: number;
  quotas: readonly [Quota<Reason>, ...Quota<Reason>[]];
};

// Reads ---------------------------------------------------------------------------------------------------------------

/** Those of the given quotas that are full, in order, each with the time when it has room again. */
export function findFull<Reason extends string>(db: Database, { quotas, now }: EmailQuotaHit<Reason>) {
  const quotasJson = JSON.stringify(
    quotas.map(({ windowMs, ...quota }) => ({ ...quota, windowMs, since: now - windowMs })),
  );
  // The newest `max` uses of each quota; the oldest of these has to leave the window to make room.
  const counted = sql`(
    select quota.key, quota.value ->> 'reason' as reason, quota.value ->> 'max' as max,
      used_at + (quota.value ->> 'windowMs') as retry_at,
      row_number() over (partition by quota.key order by used_at desc) as nth
    from json_each(${quotasJson}) quota
    cross join ${quotaUses} on quota_uses.quota = quota.value ->> 'name' and used_at > quota.value ->> 'since') counted`;
  return db
    .select({ reason: sql<Full<Reason>["reason"]>`reason`, retryAt: sql<number>`retry_at` })
    .from(counted)
    .where(sql`nth = max`)
    .orderBy(sql`key`);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Takes one email from every quota, or from none, if `guard` holds. Later statements of the batch check `quotaConsumed`. */
export function consumeEmailQuota<Reason extends string>(
  db: Database,
  { id, now, quotas }: EmailQuotaHit<Reason>,
  guard: SQL = sql`true`,
) {
  return consumeQuotas(db, { id, now, quotas }, guard);
}

/** Records, once per hour, that the strangers' quota refused an email. The request that wrote the row reports it. */
export function addSiteFull<Reason extends string>(db: Database, use: EmailQuotaHit<Reason>, guard: SQL = sql`true`) {
  const { id, now } = use;
  const site = use.quotas.find(({ name }) => name === siteQuotaName);
  const reports = { name: `${siteQuotaName}.reported`, max: 1, windowMs: quotaWindowMs };
  const isRefused = site ? sql`not ${isFree(site, now)} and ${guard}` : sql`false`;
  return addUse(
    db,
    { id: `${id}.reported`, quota: reports.name, now },
    sql`${isRefused} and not ${quotaConsumed(use)} and ${isFree(reports, now)}`,
  );
}

export class SiteQuotaUsedUp extends Error {
  constructor({ quotas }: Pick<EmailQuotaHit<string>, "quotas">) {
    const max = quotas.find(({ name }) => name === siteQuotaName)?.max;
    super(`Strangers had ${max} emails sent within an hour: further ones are refused, or wait`);
  }
}
