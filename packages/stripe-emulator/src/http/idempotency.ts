import { invalid, StripeRefusal } from "./stripe-errors.ts";
import type { Sql, SqlValue } from "../sql.ts";

export interface SavedAnswer {
  status: number;
  body: string;
}

interface Row {
  [column: string]: SqlValue;
  call: string;
  status: number;
  body: string;
}

/** Stripe deletes a key after a day at the earliest; here exactly then, by the account's clock. */
const KEY_LIFE_SECONDS = 86_400;

/** The saved response of each `Idempotency-Key`, and which keys are in use. */
export class IdempotencyKeys {
  readonly #sql: Sql;
  /** Keys whose call hasn't been answered yet. The work itself is synchronous, but a request's body or a slow response takes long. */
  readonly #underWay = new Set<string>();

  constructor(sql: Sql) {
    this.#sql = sql;
    // The table's older form didn't store when a key was used.
    sql.exec("DROP TABLE IF EXISTS idempotency_keys");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS saved_answers (key TEXT PRIMARY KEY, call TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
    );
  }

  isInUse(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** The saved response of this key; refused when the key was first used for another call. */
  replay(key: string, call: string, now: number): SavedAnswer | null {
    this.#sql.exec("DELETE FROM saved_answers WHERE at <= ?", now - KEY_LIFE_SECONDS);
    const [row] = this.#sql.exec<Row>("SELECT call, status, body FROM saved_answers WHERE key = ?", key);
    if (row === undefined) return null;
    if (row.call === call) return { status: row.status, body: row.body };
    throw new StripeRefusal(400, {
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }

  save(key: string, call: string, answer: SavedAnswer, now: number): void {
    this.#sql.exec(
      "INSERT INTO saved_answers (key, call, status, body, at) VALUES (?, ?, ?, ?, ?)",
      key,
      call,
      answer.status,
      answer.body,
      now,
    );
  }

  /** The key stays in use until the call that is answered here releases it. */
  hold(key: string): () => void {
    this.#underWay.add(key);
    return () => this.#underWay.delete(key);
  }
}

/** Characters of an idempotency key. Source: https://docs.stripe.com/api/idempotent_requests */
const KEY_LENGTH_MAX = 255;

/** Refuses a key that is too long, or in use by a call that hasn't been answered yet. */
export function requireFreeKey(key: string, isInUse: boolean): void {
  if (key.length > KEY_LENGTH_MAX)
    throw invalid(`Idempotency keys can have up to ${KEY_LENGTH_MAX} characters, and this one has ${key.length}.`);
  if (!isInUse) return;
  throw new StripeRefusal(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  });
}
