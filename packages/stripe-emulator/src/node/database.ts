import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Sql } from "../sql.ts";

interface Database {
  sql: Sql;
  transactionSync<T>(change: () => T): T;
  close(): void;
}

/** Node's own SQLite, in a file or in memory. */
export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file);
  // A file is read by people at most while the emulator writes it, and is never worth waiting for the disk.
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = OFF");
  const prepared = new Map<string, StatementSync>();
  const prepare = (query: string): StatementSync => {
    const statement = prepared.get(query) ?? database.prepare(query);
    prepared.set(query, statement);
    return statement;
  };
  return {
    sql: {
      exec: <T>(query: string, ...values: (string | number | null)[]) => {
        // The statement's columns, in the type that its caller names.
        const rows = prepare(query).all(...values) as T[];
        return { toArray: () => rows, [Symbol.iterator]: () => rows.values() };
      },
    },
    transactionSync: (change) => {
      database.exec("BEGIN");
      try {
        const result = change();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => database.close(),
  };
}
