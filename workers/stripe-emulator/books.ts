import type Stripe from "stripe";
import type { AfterLastRetry } from "./billing-times.ts";
import type { Clock } from "./clock.ts";
import type { Store } from "./store.ts";

export type EventType = Stripe.Event["type"];
export type EventData<T extends EventType> = Extract<Stripe.Event, { type: T }>["data"];

/** Everything that an act of this account can touch: its objects, its clock, and the record of what happened. */
export interface Books {
  store: Store;
  clock: Clock;
  /** The origin that the caller used, for addresses in answers. */
  origin: string;
  /** At first from this Worker's configuration, so that the site can know it before any endpoint exists. */
  webhookSecret: string;
  /** What becomes of a subscription when its last retry failed. */
  afterLastRetry: AfterLastRetry;
  /** Writes an event with a snapshot of the object, and puts it up for delivery. */
  record<T extends EventType>(
    type: T,
    object: EventData<T>["object"],
    before?: EventData<T>["previous_attributes"],
  ): void;
}
