/**
 * Lists what an order's timeline can contain. Invariant: an event is stored once per cause, in the batch of the change that it records.
 * Called from the statements that write the timeline, and from the pages that show it.
 */
import { orderStates } from "./rules.ts";

/** Events in the refunds and disputes of an order. */
export const moneyBackEvents = [
  "refund",
  "friend-discount",
  "refund-failed",
  "dispute",
  "dispute-won",
  "dispute-lost",
] as const;
export type MoneyBackEvent = (typeof moneyBackEvents)[number];

/** An order's state when it is reached, or another event. */
export const orderEvents = [...orderStates, ...moneyBackEvents, "mailed", "withdrawal"] as const;
export type OrderEvent = (typeof orderEvents)[number];
