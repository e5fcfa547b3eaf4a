import type { Expiry } from "../money/cards.ts";
import type { FraudType } from "../objects/payments/early-fraud-warnings.ts";
import type { AfterLastRetry } from "../time/billing-times.ts";
import type { Disorder } from "../http/disorder.ts";
import type { Resumes } from "../actions/subscriptions/resume-after-payment.ts";
import type { PauseCause, PausesAfter } from "../actions/subscriptions/pause-subscription.ts";

export const CHECKOUT_OUTCOMES = ["paid", "declined", "action", "processing", "cancelled", "expired"] as const;
export const DEBIT_OUTCOMES = ["paid", "declined"] as const;
export const CANCELS = ["yes", "no"] as const;
export const HELD = ["yes", "no"] as const;
export const PAUSED = ["yes", "no"] as const;
export const DISPUTE_OUTCOMES = ["won", "lost"] as const;

export interface RefundCommand {
  kind: "refund";
  order: string;
  /** Null for all that remains. */
  amountMinor: number | null;
  /** An amount as typed, in the currency's major unit. */
  amount: string | null;
}

export interface DisputeCommand {
  kind: "dispute";
  order: string;
  /** Null for all that remains of the charge. */
  amountMinor: number | null;
  /** Null for a dispute that is opened and stays open. */
  outcome: (typeof DISPUTE_OUTCOMES)[number] | null;
}

/** The bank that issued a card warns that an order was paid with it fraudulently. */
export interface WarningCommand {
  kind: "warning";
  order: string;
  fraudType: FraudType;
}

/** A pending bank debit completes now. */
export interface DebitCommand {
  kind: "debit";
  order: string;
  outcome: (typeof DEBIT_OUTCOMES)[number];
}

/** The bank renews the card that an order was paid with. */
export interface CardCommand {
  kind: "card";
  order: string;
  /** Null for some years from now. */
  expires: Expiry | null;
}

/** The team puts a plan's charges on hold, or resumes them. */
export interface HoldCommand {
  kind: "hold";
  subscription: string;
  held: (typeof HELD)[number];
}

/** The team, or Stripe itself, pauses a plan or resumes it. */
export interface PauseCommand {
  kind: "pause";
  subscription: string;
  paused: (typeof PAUSED)[number];
  cause: PauseCause;
}

/** The team ends a plan in the dashboard, or lets it continue. */
export interface CancelCommand {
  kind: "cancel";
  subscription: string;
  cancels: (typeof CANCELS)[number];
  /** Null for the end of its period. */
  inDays: number | null;
}

export interface CheckoutCommand {
  kind: "checkout";
  session: string;
  outcome: (typeof CHECKOUT_OUTCOMES)[number];
}

export type ControlCommand =
  | { kind: "clock"; advanceDays: number }
  | { kind: "clock-start"; startDaysAgo: number }
  | CheckoutCommand
  | RefundCommand
  | DisputeCommand
  | WarningCommand
  | CardCommand
  | DebitCommand
  | HoldCommand
  | PauseCommand
  | CancelCommand
  | { kind: "retries"; pausesAfter: PausesAfter; resumes: Resumes; afterLast: AfterLastRetry | null }
  | { kind: "portal" }
  | { kind: "disorder"; disorder: Disorder }
  | { kind: "resend"; event: string }
  | { kind: "secret"; keepHours: number };
