import { type Column, type SQL, sql } from "drizzle-orm";
import { check } from "drizzle-orm/sqlite-core";

/** A CHECK that a column has one of these values, in the order of their list. */
export function oneOf(name: string, column: Column, values: readonly string[]) {
  return check(name, sql`${column} in ${literals(values)}`);
}

/** A list for `in`, in the words of the statement: SQLite uses a partial index only for a condition that is worded like the index's. */
export function literals(values: readonly string[]): SQL {
  return sql`${values}`.inlineParams();
}
