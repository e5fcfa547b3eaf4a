import { getTableName, type SQL, sql, type Table } from "drizzle-orm";

/** A name that rows go by (an address, or a hash of it), and until when those that came were somebody's. */
export type Owned = { name: string; until: number };

/**
 * The rows of a table that go by one of these names and came in time, told as `rowid in (…)`. The names go in as one list of JSON:
 * a statement takes a hundred parameters, and a person may have more addresses and browsers.
 */
export function ownedRows(table: Table, columns: { name: string; time: string }, owned: readonly Owned[]): SQL {
  return sql`rowid in (
    select candidate.rowid from json_each(${JSON.stringify(owned)}) owned join ${sql.identifier(getTableName(table))} candidate
    on candidate.${sql.identifier(columns.name)} = owned.value ->> 'name'
      and candidate.${sql.identifier(columns.time)} <= owned.value ->> 'until')`;
}
