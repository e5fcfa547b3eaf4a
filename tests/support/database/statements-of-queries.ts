import { is, SQL, sql } from "drizzle-orm";
import { openDatabase } from "#app/db/database.server.ts";
import type { Noted } from "./recording-database.ts";

// Whatever a function takes, it gets a substitute.
// eslint-disable-next-line typescript/no-explicit-any
type Ask = (...args: any[]) => unknown;

/** A substitute for any argument of a queries function: a value for the database, and any field that it may read. */
function anything(): unknown {
  return new Proxy(sql`(${1})`, {
    get(target, name) {
      if (name === Symbol.toPrimitive) return () => 1;
      if (name === Symbol.iterator) return () => [anything()][Symbol.iterator]();
      if (name === "map") return (make: Ask) => [make(anything(), 0)];
      if (name === "find") return () => anything();
      if (name === "toJSON") return () => [];
      // It isn't awaited.
      if (name === "then") return undefined;
      return name in target ? Reflect.get(target, name) : anything();
    },
  });
}

/**
 * The statements that a function of a queries module builds, none of which is run; a condition as a separate statement.
 */
export async function statementsOfQueries(ask: Ask): Promise<Noted[]> {
  const noted: Noted[] = [];
  const db = openDatabase(silent(noted));
  const args = Array.from({ length: 6 }, anything);
  if (/^(async )?(function \w+)?\(db\b/.test(String(ask))) {
    for (const made of [await ask(db, ...args)].flat()) if (isPrepared(made)) made._prepare();
    return noted.map(({ query }) => ({ query, values: query.split("?").slice(1).fill("1") }));
  }
  try {
    const condition = ask(...args);
    if (is(condition, SQL)) await db.run(sql`select (${condition})`);
    return noted;
  } catch {
    // What reads a row, or calculates with one, and executes nothing.
    return [];
  }
}

/** What drizzle's own batch calls. */
function isPrepared(made: unknown): made is { _prepare: () => unknown } {
  return typeof made === "object" && made !== null && "_prepare" in made;
}

/** A database that records its statements, and finds nothing. */
function silent(requests: Noted[]): D1Database {
  const binding = {
    prepare(query: string) {
      const noted: Noted = { query, values: [] };
      requests.push(noted);
      const empty = { results: [], meta: {} };
      const bound = { run: async () => empty, all: async () => empty, raw: async () => [] };
      return { ...bound, bind: (...values: unknown[]) => Object.assign(noted, { values }) && bound };
    },
    batch: async () => [],
  };
  // Drizzle calls these and no others.
  return binding as unknown as D1Database;
}
