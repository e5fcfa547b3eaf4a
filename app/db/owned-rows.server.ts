import { getTableName, type SQL, sql, type Table } from "drizzle-orm";

/** A value that identifies rows (an address, or a hash of it), and until when rows with it belonged to the account. */
export type Owned = { name: string; until: number };

/**
 * The rows of a table with one of these values and from that time, as `rowid in (…)`. The values are passed as one JSON list: a statement
 * takes a hundred parameters, and a person may have more addresses and browsers.
 */
export function ownedRows(table: Table, columns: { name: string; time: string }, owned: readonly Owned[]): SQL {
  return sql`rowid in (
    select candidate.rowid from json_each(${JSON.stringify(owned)}) owned join ${sql.identifier(getTableName(table))} candidate
    on candidate.${sql.identifier(columns.name)} = owned.value ->> 'name'
      and candidate.${sql.identifier(columns.time)} <= owned.value ->> 'until')`;
}
