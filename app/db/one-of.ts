import { type Column, sql } from "drizzle-orm";
import { check } from "drizzle-orm/sqlite-core";

/** A CHECK that a column has one of these values, in the order of their list. */
export function oneOf(name: string, column: Column, values: readonly string[]) {
  return check(name, sql`${column} in ${values}`.inlineParams());
}
