import { and, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { quotaHits } from "./schema.ts";
import { quotaWindowMs, codeRetentionMs } from "./rules.ts";

/** What a budget is called, or where that stands. */
export type Name = string | SQL;

type Quota = { name: string; max: number; windowMs: number };

/** Something that may happen so often within a span, by each of several counts. */
export type Use = { id: string; now: number; quotas: readonly [Quota, ...Quota[]] };

/** When a budget was used within its span, newest first. */
export function listUses(db: Database, quota: Name, now: number, windowMs = quotaWindowMs) {
  return db
    .select({ usedAt: quotaHits.usedAt })
    .from(quotaHits)
    .where(and(eq(quotaHits.quota, quota), gt(quotaHits.usedAt, now - windowMs)))
    .orderBy(desc(quotaHits.usedAt));
}

/** A use by its id: of two who took the same, both find it. */
export function findUse(db: Database, id: string) {
  return db.select({ id: quotaHits.id }).from(quotaHits).where(eq(quotaHits.id, id));
}

/** There is a use left in a budget. */
export function isFree({ name, max, windowMs }: Quota, now: number): SQL {
  return sql`(select count(*) from ${quotaHits} where budget = ${name} and used_at > ${now - windowMs}) < ${max}`;
}

export function areFree(quotas: readonly Quota[], now: number): SQL {
  return sql.join([sql`true`, ...quotas.map((quota) => isFree(quota, now))], sql` and `);
}

/** Takes one use of every budget, or none of any, when `guard` holds. What follows in the batch asks `quotaConsumed`. */
export function consumeQuotas(db: Database, { id, now, quotas }: Use, guard: SQL = sql`true`) {
  const [first, ...others] = quotas;
  const mayConsume = sql`${areFree(quotas, now)} and ${guard}`;
  return [
    addUse(db, { id, quota: first.name, now }, mayConsume),
    ...others.map(({ name }, index) =>
      addUse(db, { id: `${id}.${index + 1}`, quota: name, now }, quotaConsumed({ id })),
    ),
  ] as const;
}

export function quotaConsumed({ id }: { id: string }): SQL {
  return sql`exists (select 1 from ${quotaHits} where id = ${id})`;
}

/** Counts something under a name, once, when `guard` holds: by itself for what is watched and not limited. */
export function addUse(db: Database, use: { id: string; quota: string; now: number }, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${quotaHits} (id, budget, used_at) select ${use.id}, ${use.quota}, ${use.now} where ${guard}
    on conflict do nothing`,
  );
}

/** For the sweep: uses that no budget needs any more. */
export function removeOldUses(db: Database, now: number) {
  return db.delete(quotaHits).where(lt(quotaHits.usedAt, now - codeRetentionMs));
}
