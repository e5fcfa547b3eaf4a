import type { Transaction } from "./transaction.ts";
import type { Clock } from "./time/clock.ts";
import type { WebhookDispatcher } from "./events/webhook-dispatcher.ts";
import type { EventRequest } from "./events/events.ts";
import type { IdempotencyKeys } from "./http/idempotency.ts";
import type { RateLimit } from "./http/rate-limit.ts";
import type { Store } from "./store.ts";
import type { SecretRoll } from "./events/secrets.ts";

export type Caller = Partial<EventRequest> & { origin: string };

export interface Done<T> {
  result: T;
  /** Ids of the events that this command caused. */
  events: string[];
}

/** The emulated account, as used by the API, pages and control calls. emulated-account.ts implements it. */
export interface Account {
  readonly store: Store;
  readonly clock: Clock;
  readonly dispatcher: WebhookDispatcher;
  readonly keys: IdempotencyKeys;
  readonly rateLimit: RateLimit;
  readonly siteOrigin: string;
  /** Metadata keys of the shop, by whose values control calls name a payment. */
  readonly orderKeys: readonly string[];
  transact<T>(caller: Caller, change: (tx: Transaction) => T): Done<T>;
  advance(caller: Caller, seconds: number): Done<void>;
  resend(caller: Caller, eventId: string): void;
  secrets(): string[];
  rollSecret(keepHours: number): SecretRoll;
  secretRoll(): SecretRoll | null;
}
