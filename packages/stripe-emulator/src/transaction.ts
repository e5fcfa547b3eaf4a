import type Stripe from "stripe";
import type { AfterLastRetry } from "./time/billing-times.ts";
import type { Clock } from "./time/clock.ts";
import type { Store } from "./store.ts";

export type EventType = Stripe.Event["type"];
export type EventData<T extends EventType> = Extract<Stripe.Event, { type: T }>["data"];

/** Everything that a command of this account can change: its objects, its clock, and the event log. */
export interface Transaction {
  store: Store;
  clock: Clock;
  /** The origin that the caller used, for addresses in answers. */
  origin: string;
  /** Metadata keys of the shop, by whose values control calls name a payment. */
  orderKeys: readonly string[];
  /** Initially from the emulator's settings, so that the site can know it before any endpoint exists. */
  webhookSecret: string;
  /** What a subscription becomes when its last retry failed. */
  afterLastRetry: AfterLastRetry;
  /** Writes an event with a snapshot of the object, and queues it for delivery. */
  record<T extends EventType>(
    type: T,
    object: EventData<T>["object"],
    before?: EventData<T>["previous_attributes"],
  ): void;
}
