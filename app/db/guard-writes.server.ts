import { type SQL, sql } from "drizzle-orm";
import { openDatabase, statement } from "./database.server.ts";

/** The condition that must hold when a request first writes. */
type Guard = {
  condition: SQL;
  /** The error thrown when it no longer holds. */
  refusal: () => unknown;
};

type Known = { original: D1PreparedStatement; isWrite: boolean };

/**
 * A D1 binding whose first write carries a condition in its own transaction: when that no longer holds, nothing is written and the guard's
 * refusal is thrown. Later writes aren't guarded: an action that has begun is finished, also when it charged a customer in between. Costs
 * no extra round trip. Actions write in batches: a statement that drizzle runs alone is guarded as well, but drizzle wraps the refusal in
 * another error.
 */
export function guardFirstWrite(binding: D1Database, guard: Guard): D1Database {
  const known = new WeakMap<D1PreparedStatement, Known>();
  const check = checkOf(binding, guard);
  let hasBegun = false;

  const runBatch = async (statements: D1PreparedStatement[]) => {
    const parts = statements.map((statement) => known.get(statement) ?? { original: statement, isWrite: true });
    const originals = parts.map(({ original }) => original);
    if (hasBegun || !parts.some(({ isWrite }) => isWrite)) return binding.batch(originals);
    try {
      const [, ...answers] = await binding.batch([check.failing(), ...originals]);
      hasBegun = true;
      return answers;
    } catch (error) {
      await check.demand();
      throw error;
    }
  };

  const wrap = (original: D1PreparedStatement, isWrite: boolean): D1PreparedStatement => {
    const wrapped = new Proxy(original, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values), isWrite);
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        // Every method of a statement except `bind` runs it.
        const run = (...args: unknown[]): Promise<unknown> => Promise.resolve(Reflect.apply(member, target, args));
        if (!isWrite || hasBegun) return run;
        if (name === "run" || name === "all") return async () => (await runBatch([wrapped]))[0];
        // A batch returns objects; these methods return other shapes.
        return async (...args: unknown[]) => {
          await check.demand();
          return run(...args);
        };
      },
    });
    known.set(wrapped, { original, isWrite });
    return wrapped;
  };

  return new Proxy(binding, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql), !/^\s*select\b/i.test(sql));
      if (name === "batch") return runBatch;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** The two forms of the condition: as a statement that fails its transaction, and alone. */
export function checkOf(binding: D1Database, { condition, refusal }: Guard) {
  const db = openDatabase(binding);
  return {
    failing: () => {
      // SQLite has no other way to fail from a query: `json` raises an error for malformed JSON.
      const query = statement(db, sql`select json(iif(${condition}, '1', 'over'))`);
      return query.stmt.bind(...query.getQuery().params);
    },
    demand: async () => {
      const [row] = await db.all<{ holds: number }>(sql`select ${condition} as holds`);
      if (row?.holds !== 1) throw refusal();
    },
  };
}
