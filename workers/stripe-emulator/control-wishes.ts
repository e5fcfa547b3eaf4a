import type { Expiry } from "./cards.ts";
import type { Disorder } from "./disorder.ts";

export const CHECKOUT_OUTCOMES = ["paid", "declined", "action", "processing", "cancelled", "expired"] as const;
export const DEBIT_OUTCOMES = ["paid", "declined"] as const;
export const CANCELS = ["yes", "no"] as const;
export const HELD = ["yes", "no"] as const;
export const DISPUTE_OUTCOMES = ["won", "lost"] as const;

export interface RefundOrder {
  kind: "refund";
  order: string;
  /** Null: whatever is left. */
  amountMinor: number | null;
  /** What a person typed, in the currency's own units. */
  amount: string | null;
}

export interface DisputeOrder {
  kind: "dispute";
  order: string;
  /** Null: all that is left of the charge. */
  amountMinor: number | null;
  /** Null: it is opened and stays open. */
  outcome: (typeof DISPUTE_OUTCOMES)[number] | null;
}

/** A bank debit under way ends now. */
export interface DebitOrder {
  kind: "debit";
  order: string;
  outcome: (typeof DEBIT_OUTCOMES)[number];
}

/** The bank renews the card that an order was paid with. */
export interface CardOrder {
  kind: "card";
  order: string;
  /** Null: some years from now. */
  expires: Expiry | null;
}

/** The team puts the charges of a plan on hold, or lets them go on. */
export interface HoldOrder {
  kind: "hold";
  subscription: string;
  held: (typeof HELD)[number];
}

/** The team ends a plan in the dashboard, or lets it go on. */
export interface CancelOrder {
  kind: "cancel";
  subscription: string;
  cancels: (typeof CANCELS)[number];
  /** Null: with its period. */
  inDays: number | null;
}

export interface CheckoutOrder {
  kind: "checkout";
  session: string;
  outcome: (typeof CHECKOUT_OUTCOMES)[number];
}

export type Order =
  | { kind: "clock"; advanceDays: number }
  | { kind: "clock-start"; startDaysAgo: number }
  | CheckoutOrder
  | RefundOrder
  | DisputeOrder
  | CardOrder
  | DebitOrder
  | HoldOrder
  | CancelOrder
  | { kind: "portal" }
  | { kind: "disorder"; disorder: Disorder }
  | { kind: "resend"; event: string }
  | { kind: "secret"; keepHours: number };
