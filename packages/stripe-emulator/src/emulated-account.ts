import { fireTimer } from "./actions/fire-timer.ts";
import { answerApi } from "./http/api.ts";
import { readAfterLastRetry } from "./time/billing-times.ts";
import type { Transaction } from "./transaction.ts";
import { Clock } from "./time/clock.ts";
import { answerControl } from "./control/control.ts";
import { WebhookDispatcher } from "./events/webhook-dispatcher.ts";
import { disorderOf } from "./http/disorder.ts";
import { type EventRequest, newEvent } from "./events/events.ts";
import type { Host } from "./host.ts";
import { IdempotencyKeys } from "./http/idempotency.ts";
import { answerPage } from "./pages/pages.ts";
import { RateLimit } from "./http/rate-limit.ts";
import { Store } from "./store.ts";
import { missingObject, StripeRefusal } from "./http/stripe-errors.ts";
import { rollOf, rollSecret, type SecretRoll, secretsOf } from "./events/secrets.ts";
import type { Settings } from "./settings.ts";
import type { Account, Caller, Done } from "./account.ts";

/** The account. Every change runs through `transact`, which doesn't await, so changes are serialised. */
export class EmulatedAccount implements Account {
  readonly store: Store;
  readonly clock: Clock;
  readonly dispatcher: WebhookDispatcher;
  readonly keys: IdempotencyKeys;
  readonly rateLimit = new RateLimit();
  readonly siteOrigin: string;
  readonly orderKeys: readonly string[];
  readonly #host: Host;
  readonly #settings: Settings;
  #alarmAt: number | null = null;

  constructor(host: Host, settings: Settings) {
    const { sql } = host;
    this.#host = host;
    this.#settings = settings;
    this.store = new Store(sql);
    this.clock = new Clock(sql, this.store);
    this.dispatcher = new WebhookDispatcher(sql, this.store, () => this.secrets());
    this.keys = new IdempotencyKeys(sql);
    this.siteOrigin = settings.siteOrigin;
    this.orderKeys = settings.orderKeys;
  }

  async fetch(request: Request): Promise<Response> {
    const { origin, pathname } = new URL(request.url);
    this.advance({ origin }, 0);
    if (pathname.startsWith("/v1/")) return answerApi(this, request);
    if (pathname.startsWith("/control")) return answerControl(this, request);
    return answerPage(this, request);
  }

  /** Retries and due timers run without a request. */
  async alarm(): Promise<void> {
    this.advance({ origin: this.store.note("origin") ?? this.siteOrigin }, 0);
    await this.dispatcher.deliver();
    this.#alarmAt = null;
    this.#planAlarm();
  }

  /** One change, all or nothing. A declined payment is a refusal that writes data, so 402 commits. */
  transact<T>(caller: Caller, change: (tx: Transaction) => T): Done<T> {
    const events: string[] = [];
    const tx = this.#tx(caller, events);
    const outcome = this.#host.transactionSync(() => {
      try {
        return { result: change(tx) };
      } catch (error) {
        if (error instanceof StripeRefusal && error.status === 402) return { refusal: error };
        throw error;
      }
    });
    this.#rememberOrigin(caller.origin);
    this.#host.waitUntil(this.dispatcher.deliver());
    this.#planAlarm();
    if ("refusal" in outcome) throw outcome.refusal;
    return { result: outcome.result, events };
  }

  advance(caller: Caller, seconds: number): Done<void> {
    if (seconds === 0 && !this.clock.isDue()) return { result: undefined, events: [] };
    return this.transact(caller, (tx) => this.clock.advance(seconds, (timer) => fireTimer(tx, timer)));
  }

  /** Sends an event again to each endpoint that subscribes to its type. */
  resend(caller: Caller, eventId: string): void {
    this.transact(caller, ({ store }) => {
      const event = store.find("event", eventId);
      if (event === null) throw missingObject("event", eventId);
      this.dispatcher.accept(event, Date.now(), {});
    });
  }

  secrets(): string[] {
    return secretsOf(this.store, this.clock, this.#settings);
  }

  rollSecret(keepHours: number): SecretRoll {
    return rollSecret(this.store, this.clock, this.#settings, keepHours);
  }

  secretRoll(): SecretRoll | null {
    return rollOf(this.store, this.#settings);
  }

  #tx(caller: Caller, events: string[]): Transaction {
    const request: EventRequest = {
      requestId: caller.requestId ?? null,
      idempotencyKey: caller.idempotencyKey ?? null,
    };
    const acceptedAt = Date.now();
    return {
      store: this.store,
      clock: this.clock,
      origin: caller.origin,
      orderKeys: this.orderKeys,
      webhookSecret: this.secrets()[0] ?? "",
      afterLastRetry: readAfterLastRetry(this.store.note("after-last-retry") ?? this.#settings.afterLastRetry),
      record: (type, object, before) => {
        const event = newEvent(this.clock.now(), request, type, object, before);
        this.dispatcher.accept(event, acceptedAt, disorderOf(this.store));
        events.push(event.id);
      },
    };
  }

  /** For timers that fire without a request, when no caller provides the emulator's origin. */
  #rememberOrigin(origin: string): void {
    if (this.store.note("origin") !== origin) this.store.writeNote("origin", origin);
  }

  #planAlarm(): void {
    const times = [this.dispatcher.nextDueAt(), this.clock.nextDueAt()].filter((time) => time !== null);
    const next = times.length === 0 ? null : Math.min(...times);
    if (next === null || next === this.#alarmAt) return;
    this.#alarmAt = next;
    this.#host.waitUntil(this.#host.setAlarm(next));
  }
}
