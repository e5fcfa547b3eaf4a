import { StripeRefusal } from "./stripe-errors.ts";

export interface SavedAnswer {
  status: number;
  body: string;
}

interface Row {
  [column: string]: SqlStorageValue;
  call: string;
  status: number;
  body: string;
}

/** What was answered under each `Idempotency-Key`. A call runs without a pause, so two can't be under way at once. */
export class IdempotencyKeys {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS idempotency_keys (key TEXT PRIMARY KEY, call TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL) STRICT",
    );
  }

  /** The saved answer of this key; refused when the key was first used for another call. */
  replay(key: string, call: string): SavedAnswer | null {
    const [row] = this.#sql.exec<Row>("SELECT call, status, body FROM idempotency_keys WHERE key = ?", key);
    if (row === undefined) return null;
    if (row.call === call) return { status: row.status, body: row.body };
    throw new StripeRefusal(400, {
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }

  save(key: string, call: string, answer: SavedAnswer): void {
    this.#sql.exec(
      "INSERT INTO idempotency_keys (key, call, status, body) VALUES (?, ?, ?, ?)",
      key,
      call,
      answer.status,
      answer.body,
    );
  }
}
