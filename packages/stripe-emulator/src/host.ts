import type { Sql } from "./sql.ts";

/** What the account lives in: a Durable Object, or a process of Node. */
export interface Host {
  readonly sql: Sql;
  /** All that the change writes, or nothing if it throws. */
  transactionSync<T>(change: () => T): T;
  /** Work that continues after the answer. */
  waitUntil(work: Promise<unknown>): void;
  /** Calls the account's `alarm` at that time, in real milliseconds. A later call replaces an earlier one. */
  setAlarm(at: number): Promise<void>;
}
