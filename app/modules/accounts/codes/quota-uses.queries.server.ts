import type { Id, QuotaUseId } from "#app/core/id.ts";
import { and, count, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { quotaUses } from "./schema.ts";
import { quotaWindowMs } from "./email-quotas.rules.ts";

/** A quota's name, or an expression for it. */
export type Name = string | SQL;

type Quota = { name: string; max: number; windowMs: number };

/** An action that several quotas limit together. */
type Use = { id: Id<"use" | "retry">; now: number; quotas: readonly [Quota, ...Quota[]] };

/** When a quota was used within its window, newest first. */
export function listUses(db: Database, quota: Name, now: number, windowMs = quotaWindowMs) {
  return db
    .select({ usedAt: quotaUses.usedAt })
    .from(quotaUses)
    .where(and(eq(quotaUses.quota, quota), gt(quotaUses.usedAt, now - windowMs)))
    .orderBy(desc(quotaUses.usedAt));
}

export function countUses(db: Database, { name, windowMs }: Quota, now: number) {
  return db
    .select({ count: count() })
    .from(quotaUses)
    .where(and(eq(quotaUses.quota, name), gt(quotaUses.usedAt, now - windowMs)));
}

/** A use by its id; concurrent requests with the same id find the same row. */
export function findUse(db: Database, id: QuotaUseId) {
  return db.select({ id: quotaUses.id }).from(quotaUses).where(eq(quotaUses.id, id));
}

/** The quota has room. */
export function isFree({ name, max, windowMs }: Quota, now: number): SQL {
  return sql`(select count(*) from ${quotaUses} where quota = ${name} and used_at > ${now - windowMs}) < ${max}`;
}

export function areFree(quotas: readonly Quota[], now: number): SQL {
  return sql.join([sql`true`, ...quotas.map((quota) => isFree(quota, now))], sql` and `);
}

/** Counts one use in every quota, or in none, if `guard` holds. Later statements of the batch check `quotaConsumed`. */
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

export function quotaConsumed({ id }: { id: QuotaUseId }): SQL {
  return sql`exists (select 1 from ${quotaUses} where id = ${id})`;
}

/** Counts a use under a name, once, if `guard` holds; called directly for what is counted and not limited. */
export function addUse(db: Database, use: { id: QuotaUseId; quota: string; now: number }, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${quotaUses} (id, quota, used_at) select ${use.id}, ${use.quota}, ${use.now} where ${guard}
    on conflict do nothing`,
  );
}
