/**
 * Decides the states of an order, from the choice of a plan to its receipt. Invariants: Stripe decides whether money was paid, and
 * `orderTransitions` which states can follow, in any order of events; numbers are gapless. Called from the reconciler, the checkout and every
 * page that shows an order.
 */
import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { disputeStates, type BillingReason } from "#app/core/stripe/states.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { dateFormat } from "#app/core/text/formats.ts";

export const orderStates = [
  "draft",
  "pending",
  "processing",
  "needs-action",
  "paid",
  "partially-refunded",
  "refunded",
  "failed",
  "cancelled",
  "expired",
] as const;
export type OrderState = (typeof orderStates)[number];

/** Why a payment failed, for reasons that the customer can act on. */
export const failureClasses = ["declined", "no-funds", "card-details", "authentication", "other"] as const;
export type FailureClass = (typeof failureClasses)[number];
/** Something else was paid than the order asked for: the plan is kept at what was paid, or the payment is refunded. */
export const mismatches = ["mismatch-kept", "mismatch-refunded"] as const;
export type Mismatch = (typeof mismatches)[number];
export const orderFailures = [...failureClasses, ...mismatches] as const;
export type OrderFailure = (typeof orderFailures)[number];

export type OrderKind = BillingReason;

/** The transitions of an order. A transition that isn't listed can't happen, even if an event implies it. */
export const orderTransitions: Record<OrderState, readonly OrderState[]> = {
  draft: ["pending", "processing", "needs-action", "paid", "failed", "cancelled", "expired"],
  pending: ["processing", "needs-action", "paid", "failed", "cancelled", "expired"],
  // Cancelled only if Stripe says that the invoice was voided.
  processing: ["paid", "failed", "cancelled", "expired"],
  "needs-action": ["pending", "processing", "paid", "failed", "cancelled", "expired"],
  failed: ["pending", "processing", "needs-action", "paid", "cancelled", "expired"],
  paid: ["partially-refunded", "refunded"],
  // After a refund that the bank returned.
  "partially-refunded": ["paid", "refunded"],
  refunded: ["paid", "partially-refunded"],
  cancelled: ["paid"],
  expired: ["paid"],
};

/** Not final yet: the one open purchase of an account. The table's partial UNIQUE index lists the same states. */
export const openStates = ["draft", "pending", "processing", "needs-action", "failed"] as const satisfies OrderState[];

export function isOpen(state: OrderState): boolean {
  return openStates.some((open) => open === state);
}

/** The payment pages, by the status in their path. */
export const paymentStatuses = ["success", "processing", "action", "failed", "cancelled", "expired"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const paymentStatusOf: Record<OrderState, PaymentStatus> = {
  draft: "cancelled",
  pending: "cancelled",
  processing: "processing",
  "needs-action": "action",
  paid: "success",
  "partially-refunded": "success",
  refunded: "success",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

export function isPaymentStatus(word: string): word is PaymentStatus {
  return paymentStatuses.some((status) => status === word);
}

export const disputes = ["none", ...disputeStates] as const;
export type Dispute = (typeof disputes)[number];

export type Order = {
  id: OrderId;
  accountId: AccountId;
  state: OrderState;
  dispute: Dispute;
  kind: OrderKind;
  planId: string;
  interval: Interval;
  currency: string;
  amountMinor: number;
  taxMinor: number;
  discountMinor: number;
  creditMinor: number;
  /** How much of that credit goes back to the balance. */
  creditReturnedMinor: number;
  refundedMinor: number;
  /** The part of `refundedMinor` that was refunded as a friend's discount. */
  friendDiscountMinor: number;
  numberYear: number | null;
  numberInYear: number | null;
  checkoutId: CheckoutId | null;
  checkoutUrl: string | null;
  invoiceId: InvoiceId | null;
  receiptUrl: string | null;
  failure: OrderFailure | null;
  attempts: number;
  nextTryAt: number | null;
  prorationAt: number | null;
  /** By when the dispute needs a response. Null if it needs none. */
  disputeDueAt: number | null;
  createdAt: number;
  expiresAt: number | null;
  paidAt: number | null;
  /** The customer's time zone when it was paid. Null before that. */
  buyerTimeZone: string | null;
  /** It may have been paid, and Stripe hasn't answered since: see unconfirmed.rules.ts. */
  isUnconfirmed: boolean;
  unconfirmedUntil: number | null;
};

/** An order with what a list says of it besides. */
export type MarkedOrder = Order & {
  /** What banks took of it. */
  lostMinor: number;
  /** Its owner has withdrawn from the contract, and isn't refunded yet. */
  isWithdrawn: boolean;
};

/** Whether a lost dispute took only a part of an order, and some of its money is left. */
export function isPartlyLost({
  dispute,
  amountMinor,
  refundedMinor,
  lostMinor,
}: Pick<MarkedOrder, "dispute" | "amountMinor" | "refundedMinor" | "lostMinor">): boolean {
  return dispute === "lost" && amountMinor - refundedMinor - lostMinor > 0;
}

/** Whether nothing is left of an order's money: all of it was refunded, or banks took the rest. */
export function isMoneyGone(
  order: Pick<MarkedOrder, "state" | "dispute" | "amountMinor" | "refundedMinor" | "lostMinor">,
): boolean {
  return order.state === "refunded" || (order.dispute === "lost" && !isPartlyLost(order));
}

/** The customer's billing details and payment method when an order was paid; `paidBy` is null if nothing had to be paid. */
export type BilledTo = {
  name: string | null;
  address: string[];
  /** Its ISO code. */
  country: string | null;
  vatIds: string[];
  paidBy: PaidBy | null;
};

/** The seller as the config says. */
export type Seller = { name: string; address: readonly string[]; vatId: string | null };

/** `netMinor` is lines and discount without tax. Credit is deducted afterwards. */
export type Taxes = {
  netMinor: number;
  /** `percent` is null if Stripe doesn't report the rate. */
  parts: { name: string | null; percent: number | null; amountMinor: number; isReverseCharge: boolean }[];
};

/** "visa" and the card's last digits, or another payment method by Stripe's name ("sepa_debit"). */
export type PaidBy = { method: string; last4: string | null };

/** `2026-000042`: gapless per year of the seller's calendar. Null until it is paid. */
export function orderNumber(order: Pick<Order, "numberYear" | "numberInYear">): string | null {
  if (order.numberYear === null || order.numberInYear === null) return null;
  return spellNumber(order.numberYear, order.numberInYear);
}

export function spellNumber(year: number, inYear: number): string {
  return `${year}-${String(inYear).padStart(6, "0")}`;
}

/** Metadata on the order's Stripe invoice, by which the dashboard's search finds it. */
export function labelOf(order: Pick<Order, "id" | "numberYear" | "numberInYear">) {
  return { orderId: order.id, orderNumber: orderNumber(order) };
}

/** The year of a payment in the seller's calendar. */
export function accountingYear(at: number, timeZone: string): number {
  return Number(dateFormat("en", { timeZone, year: "numeric" }).format(at));
}

/** A payment page without an order id shows the newest order if it is younger than this. */
export const newestOrderMs = dayMs;

/** A draft without a checkout expires after this: Stripe forgets the idempotency key then. */
export const draftLifeMs = dayMs;

/** How long after its checkout expired an unpaid order is still synced: a payment may be reported late. */
export const checkoutNewsMs = dayMs;

/** A younger draft may be in a request to Stripe, whose deadline is shorter than this. */
export const underWayMs = 30 * secondMs;

/** Charges on the plan page, newest first. */
export const chargesShownMax = 3;

/** Orders on one page of the list. */
export const pageSize = 20;

/** An order by its number, with or without leading zeros, or by its id. */
export type MeantOrder = { year: number; inYear: number } | { id: OrderId };
