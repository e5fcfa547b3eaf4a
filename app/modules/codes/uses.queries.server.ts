import { and, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { budgetUses } from "#app/db/schema.ts";
import { budgetWindowMs, keptMs } from "./rules.ts";

/** What a budget is called, or where that stands. */
export type Name = string | SQL;

type Budget = { name: string; max: number; windowMs: number };

/** Something that may happen so often within a span, by each of several counts. */
export type Use = { id: string; now: number; budgets: readonly [Budget, ...Budget[]] };

/** When a budget was used within its span, newest first. */
export function listUses(db: Database, budget: Name, now: number, windowMs = budgetWindowMs) {
  return db
    .select({ usedAt: budgetUses.usedAt })
    .from(budgetUses)
    .where(and(eq(budgetUses.budget, budget), gt(budgetUses.usedAt, now - windowMs)))
    .orderBy(desc(budgetUses.usedAt));
}

/** A use by its id: of two who took the same, both find it. */
export function findUse(db: Database, id: string) {
  return db.select({ id: budgetUses.id }).from(budgetUses).where(eq(budgetUses.id, id));
}

/** There is a use left in a budget. */
export function isFree({ name, max, windowMs }: Budget, now: number): SQL {
  return sql`(select count(*) from ${budgetUses} where budget = ${name} and used_at > ${now - windowMs}) < ${max}`;
}

export function areFree(budgets: readonly Budget[], now: number): SQL {
  return sql.join([sql`true`, ...budgets.map((budget) => isFree(budget, now))], sql` and `);
}

/** Takes one use of every budget, or none of any, when `guard` holds. What follows in the batch asks `usesTaken`. */
export function takeUses(db: Database, { id, now, budgets }: Use, guard: SQL = sql`true`) {
  const [first, ...others] = budgets;
  const mayTake = sql`${areFree(budgets, now)} and ${guard}`;
  return [
    addUse(db, { id, budget: first.name, now }, mayTake),
    ...others.map(({ name }, index) => addUse(db, { id: `${id}.${index + 1}`, budget: name, now }, usesTaken({ id }))),
  ] as const;
}

export function usesTaken({ id }: { id: string }): SQL {
  return sql`exists (select 1 from ${budgetUses} where id = ${id})`;
}

/** Counts something under a name, once, when `guard` holds: by itself for what is watched and not limited. */
export function addUse(db: Database, use: { id: string; budget: string; now: number }, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${budgetUses} (id, budget, used_at) select ${use.id}, ${use.budget}, ${use.now} where ${guard}
    on conflict do nothing`,
  );
}

/** For the sweep: uses that no budget needs any more. */
export function removeOldUses(db: Database, now: number) {
  return db.delete(budgetUses).where(lt(budgetUses.usedAt, now - keptMs));
}
