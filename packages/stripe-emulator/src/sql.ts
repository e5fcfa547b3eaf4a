export type SqlValue = string | number | null;

/** A SQLite database as the account uses it: a Durable Object's `storage.sql`, or one of Node. */
export interface Sql {
  exec<T extends Record<string, SqlValue>>(query: string, ...values: SqlValue[]): Rows<T>;
}

interface Rows<T> extends Iterable<T> {
  toArray(): T[];
}
