import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { budgetUses } from "#app/db/schema.ts";

/** Something that may happen so often within a span, by each of several counts. */
export type Use = { id: string; now: number; budgets: readonly { name: string; max: number; windowMs: number }[] };

/** When a budget was used within its span, for the words of a refusal. */
export function listUsesWithin(db: Database, { name, windowMs }: Use["budgets"][number], now: number) {
  return db
    .select({ usedAt: budgetUses.usedAt })
    .from(budgetUses)
    .where(and(eq(budgetUses.budget, name), gt(budgetUses.usedAt, now - windowMs)));
}

/** Takes one use of every budget, or none of any. What follows in the batch asks `usesTaken`. */
export function takeUses(db: Database, use: Use) {
  const isFree = ({ name, max, windowMs }: Use["budgets"][number]) =>
    sql`(select count(*) from ${budgetUses} where budget = ${name} and used_at > ${use.now - windowMs}) < ${max}`;
  const allFree = sql.join(use.budgets.map(isFree), sql` and `);
  return use.budgets.map(({ name }, index) =>
    statement(
      db,
      sql`
      insert into ${budgetUses} (id, budget, used_at)
      select ${index === 0 ? use.id : `${use.id}.${index}`}, ${name}, ${use.now}
      where ${index === 0 ? allFree : usesTaken(use)}`,
    ),
  );
}

export function usesTaken({ id }: Use): SQL {
  return sql`exists (select 1 from ${budgetUses} where id = ${id})`;
}
