import type Stripe from "stripe";
import { type Disorder, disorderOf, isLost } from "../http/disorder.ts";
import { isWanted } from "./events.ts";
import { postEvent } from "./post-event.ts";
import type { Store } from "../store.ts";
import type { Sql, SqlValue } from "../sql.ts";
import { wait } from "../wait.ts";

/** Delays between attempts, in seconds. After the last one the delivery is abandoned. */
const BACK_OFF = [1, 5, 30, 120, 600, 1800, 3600];
/** How long a control call waits for retries before it returns the results so far. */
const PATIENCE_MS = 15_000;

/** Stripe doesn't wait for an endpoint's answer before it sends the next event. */
const AT_ONCE = 16;

interface Delivery {
  [column: string]: SqlValue;
  id: number;
  event: string;
  endpoint: string;
  attempts: number;
}

interface Attempt {
  status: number;
  at: number;
}

/** Delivers events to the registered endpoints: signed, concurrently, with retries. */
export class WebhookDispatcher {
  readonly #sql: Sql;
  readonly #store: Store;
  readonly #secrets: () => string[];
  #round: Promise<void> | null = null;

  constructor(sql: Sql, store: Store, secrets: () => string[]) {
    this.#sql = sql;
    this.#store = store;
    this.#secrets = secrets;
    sql.exec(`CREATE TABLE IF NOT EXISTS deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'given-up')), attempts INTEGER NOT NULL, due INTEGER NOT NULL
    ) STRICT`);
    sql.exec("CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (state, due)");
    sql.exec("CREATE INDEX IF NOT EXISTS deliveries_of_an_event ON deliveries (event)");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS attempts (delivery INTEGER NOT NULL, event TEXT NOT NULL, status INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS attempts_of_an_event ON attempts (event)");
  }

  /**
   * Stores the event and queues it for delivery. Nothing is sent before `deliver`. All events of one command are accepted `at`
   * one time, so that they become due together. An event that is to be lost is abandoned before its first attempt.
   */
  accept(event: Stripe.Event, at: number, disorder: Disorder): void {
    const endpoints = this.#endpointsFor(event.type);
    // An event without a subscriber can't be lost, and uses up no loss.
    const state = endpoints.length > 0 && isLost(this.#store, event.type, disorder) ? "given-up" : "pending";
    this.#store.put("event", event);
    for (const endpoint of endpoints) {
      for (let copy = 0; copy <= (disorder.duplicate ?? 0); copy += 1) {
        this.#sql.exec(
          "INSERT INTO deliveries (event, endpoint, state, attempts, due) VALUES (?, ?, ?, 0, ?)",
          event.id,
          endpoint.id,
          state,
          at + (disorder.delayMs ?? 0),
        );
      }
    }
    if (endpoints.length > 0) this.#countPending(event.id);
  }

  /** Sends due events. Concurrent callers share one round; no lock is held while an endpoint answers. */
  deliver(): Promise<void> {
    this.#round ??= this.#deliverDue().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  /** Resolves when these events are delivered or abandoned, or when a retry is too far off to wait for. */
  async settle(events: string[]): Promise<void> {
    const until = Date.now() + PATIENCE_MS + (disorderOf(this.#store).delayMs ?? 0);
    for (;;) {
      await this.deliver();
      const due = this.#nextDue(events);
      if (due === null || due > until) return;
      await wait(Math.max(0, due - Date.now()));
    }
  }

  attemptsOf(event: string): Attempt[] {
    return this.#sql
      .exec<{ status: number; at: number }>("SELECT status, at FROM attempts WHERE event = ? ORDER BY rowid", event)
      .toArray();
  }

  isUnderWay(event: string): boolean {
    return this.#nextDue([event]) !== null;
  }

  /** Real milliseconds, for the alarm. */
  nextDueAt(): number | null {
    const [row] = this.#sql.exec<{ due: number | null }>(
      "SELECT min(due) AS due FROM deliveries WHERE state = 'pending'",
    );
    return row?.due ?? null;
  }

  async #deliverDue(): Promise<void> {
    for (let due = this.#due(); due.length > 0; due = this.#due()) {
      // In reverse order, one after the other: the order furthest from the true one, and the same in every run.
      if (disorderOf(this.#store).shuffle) for (const delivery of due.reverse()) await this.#attempt(delivery);
      else await Promise.all(due.map((delivery) => this.#attempt(delivery)));
    }
  }

  #due(): Delivery[] {
    return this.#sql
      .exec<Delivery>(
        "SELECT id, event, endpoint, attempts FROM deliveries WHERE state = 'pending' AND due <= ? ORDER BY due, id LIMIT ?",
        Date.now(),
        AT_ONCE,
      )
      .toArray();
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const status = await this.#send(delivery);
    this.#sql.exec(
      "INSERT INTO attempts (delivery, event, status, at) VALUES (?, ?, ?, ?)",
      delivery.id,
      delivery.event,
      status,
      Date.now(),
    );
    const isDelivered = status >= 200 && status < 300;
    const wait = BACK_OFF[delivery.attempts];
    const state = isDelivered ? "delivered" : wait === undefined ? "given-up" : "pending";
    this.#sql.exec(
      "UPDATE deliveries SET state = ?, attempts = attempts + 1, due = ? WHERE id = ?",
      state,
      Date.now() + (wait ?? 0) * 1000,
      delivery.id,
    );
    if (isDelivered) this.#countPending(delivery.event);
  }

  /** The status that the endpoint returned; 0 if there was no response. */
  async #send({ event, endpoint }: Delivery): Promise<number> {
    const target = this.#store.find("webhook_endpoint", endpoint);
    if (target === null) return 0;
    return postEvent(target.url, JSON.stringify(this.#store.find("event", event), null, 2), this.#secrets());
  }

  /** Endpoints that this event hasn't reached, including abandoned deliveries. */
  #countPending(eventId: string): void {
    const [row] = this.#sql.exec<{ pending: number }>(
      `SELECT count(DISTINCT endpoint) AS pending FROM deliveries WHERE event = ?
       AND endpoint NOT IN (SELECT endpoint FROM deliveries WHERE event = ? AND state = 'delivered')`,
      // Twice: older versions of Node's SQLite take no numbered parameters by their position.
      eventId,
      eventId,
    );
    const event = this.#store.find("event", eventId);
    if (event !== null) this.#store.put("event", { ...event, pending_webhooks: row?.pending ?? 0 });
  }

  #endpointsFor(type: string): Stripe.WebhookEndpoint[] {
    return [...this.#store.newestFirst("webhook_endpoint")].filter(
      (endpoint) => endpoint.status === "enabled" && isWanted(endpoint.enabled_events, type),
    );
  }

  #nextDue(events: string[]): number | null {
    const [row] = this.#sql.exec<{ due: number | null }>(
      "SELECT min(due) AS due FROM deliveries WHERE state = 'pending' AND event IN (SELECT value FROM json_each(?))",
      JSON.stringify(events),
    );
    return row?.due ?? null;
  }
}
