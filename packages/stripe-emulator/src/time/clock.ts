import type { Store } from "../store.ts";
import type { Sql } from "../sql.ts";

export type TimerKind =
  | "bank-debit-settles"
  | "collection-resumes"
  | "discount-ends"
  | "dispute-moves"
  | "funds-available"
  | "incomplete-expires"
  | "invoice-debit-settles"
  | "invoice-finalizes"
  | "invoice-retries"
  | "pending-update-expires"
  | "refund-settles"
  | "renewal-upcoming"
  | "schedule-phase-ends"
  | "session-expires"
  | "subscription-cancels"
  | "subscription-period-ends"
  | "subscription-resumes"
  | "trial-will-end";
export interface Timer {
  kind: TimerKind;
  object: string;
  due: number;
}

/**
 * The account's clock, in unix seconds: real time plus the advances from the control page. Due timers fire in order, each
 * at its own time, so advancing by a year leaves the same objects as a real year.
 */
export class Clock {
  readonly #sql: Sql;
  readonly #store: Store;
  #held: number | null = null;

  constructor(sql: Sql, store: Store) {
    this.#sql = sql;
    this.#store = store;
    sql.exec(`CREATE TABLE IF NOT EXISTS timers (
      kind TEXT NOT NULL, object TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (kind, object)
    ) STRICT`);
  }

  get offset(): number {
    return Number(this.#store.note("clock_offset") ?? "0");
  }

  now(): number {
    return this.#held ?? Math.floor(Date.now() / 1000) + this.offset;
  }

  /** Starts in the past: for an empty account that is to get a history. */
  startAgo(seconds: number): void {
    this.#store.writeNote("clock_offset", String(-seconds));
  }

  setTimer(kind: TimerKind, object: string, due: number): void {
    this.#sql.exec(
      "INSERT INTO timers (kind, object, due) VALUES (?, ?, ?) ON CONFLICT (kind, object) DO UPDATE SET due = excluded.due",
      kind,
      object,
      due,
    );
  }

  clearTimer(kind: TimerKind, object: string): void {
    this.#sql.exec("DELETE FROM timers WHERE kind = ? AND object = ?", kind, object);
  }

  isDue(): boolean {
    return this.#next(this.now()) !== null;
  }

  /** Advances the clock and fires every timer that becomes due on the way. With 0 it fires what real time has made due. */
  advance(seconds: number, fire: (timer: Timer) => void): void {
    const target = this.now() + seconds;
    for (let timer = this.#next(target); timer !== null; timer = this.#next(target)) {
      this.clearTimer(timer.kind, timer.object);
      this.#held = timer.due;
      try {
        fire(timer);
      } finally {
        this.#held = null;
      }
    }
    if (seconds !== 0) this.#store.writeNote("clock_offset", String(this.offset + seconds));
  }

  /** Real milliseconds at which the next timer is due, for the alarm. */
  nextDueAt(): number | null {
    const [row] = this.#sql.exec<{ due: number | null }>("SELECT min(due) AS due FROM timers");
    return row?.due == null ? null : (row.due - this.offset) * 1000;
  }

  #next(until: number): Timer | null {
    const [row] = this.#sql.exec<{ kind: TimerKind; object: string; due: number }>(
      "SELECT kind, object, due FROM timers WHERE due <= ? ORDER BY due, rowid LIMIT 1",
      until,
    );
    return row ?? null;
  }
}
