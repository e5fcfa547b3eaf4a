import { type Column, type SQL, sql } from "drizzle-orm";
import type { Cursor } from "#app/core/cursor.ts";

type Key = Column | SQL;

/** Every key value sorts between these two: times, numbers, and strings that begin with a letter. */
const [lowest, highest] = [-1, 10 ** 15];

/**
 * Rows after a cursor in a list sorted by `keys`, all in one direction. Without a cursor, the start of the list is expressed as one, so
 * that every page uses the same index.
 */
export function isAfter(keys: readonly Key[], cursor: Cursor | null, direction: "asc" | "desc" = "asc"): SQL {
  const row = sql.join([...keys], sql`, `);
  const start = direction === "asc" ? lowest : highest;
  const values = sql.join(
    keys.map((_, index) => sql`${cursor ? cursor[index] : start}`),
    sql`, `,
  );
  return direction === "asc" ? sql`(${row}) > (${values})` : sql`(${row}) < (${values})`;
}
