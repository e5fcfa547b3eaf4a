import { type SQL, sql } from "drizzle-orm";
import { openDatabase, statement } from "./database.server.ts";
import { type DatabaseBinding, wrapDatabase, type WrappedStatement } from "./wrap-database.server.ts";

/** The condition that must hold when a request first writes. */
type Guard = {
  condition: SQL;
  /** The error thrown when it no longer holds. */
  refusal: () => unknown;
};

/**
 * A D1 binding whose first write carries a condition in its own transaction: when that no longer holds, nothing is written and the guard's
 * refusal is thrown. Later writes aren't guarded: a request that has begun is completed, also when it charged a customer in between. Costs
 * no extra round trip. Commands write in batches: a statement that drizzle runs alone is guarded as well, but drizzle wraps the refusal in
 * another error.
 */
export function guardFirstWrite(binding: DatabaseBinding, guard: Guard): DatabaseBinding {
  const check = checkOf(binding, guard);
  let hasBegun = false;

  const runBatch = async <Row>(statements: WrappedStatement[]): Promise<D1Result<Row>[]> => {
    const originals = statements.map(({ original }) => original);
    if (hasBegun || !statements.some(isWrite)) return binding.batch(originals);
    try {
      const [, ...answers] = await binding.batch<Row>([check.failingStatement(), ...originals]);
      hasBegun = true;
      return answers;
    } catch (error) {
      await check.refuseUnlessHolds();
      throw error;
    }
  };

  return wrapDatabase(binding, {
    runBatch,
    async runOne<Row>(statement: WrappedStatement, run: () => Promise<D1Result<Row>>) {
      if (hasBegun || !isWrite(statement)) return run();
      const [answer] = await runBatch<Row>([statement]);
      if (!answer) throw new Error("D1 left out the result of a statement");
      return answer;
    },
    async read(statement, run) {
      // A batch answers with objects only, so the condition is checked before such a write.
      if (!hasBegun && isWrite(statement)) await check.refuseUnlessHolds();
      return run();
    },
  });
}

function isWrite({ sql }: WrappedStatement): boolean {
  return !/^\s*select\b/i.test(sql);
}

/** Two ways to check the condition: by a statement that fails its transaction, and alone. */
export function checkOf(binding: DatabaseBinding, { condition, refusal }: Guard) {
  const db = openDatabase(binding);
  return {
    failingStatement: () => {
      // SQLite has no other way to fail from a query: `json` raises an error for malformed JSON.
      const query = statement(db, sql`select json(iif(${condition}, '1', 'over'))`);
      return query.stmt.bind(...query.getQuery().params);
    },
    refuseUnlessHolds: async () => {
      const [row] = await db.all<{ holds: number }>(sql`select ${condition} as holds`);
      if (row?.holds !== 1) throw refusal();
    },
  };
}
