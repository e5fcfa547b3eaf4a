/**
 * The orders module: one thing charged for, from the choice of a plan to its receipt. The provider decides whether money
 * moved; this table decides what that means for an order, whatever order the news comes in.
 */
import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { dateFormat } from "#app/core/text/formats.ts";

export type OrderState =
  | "draft"
  | "pending"
  | "processing"
  | "needs-action"
  | "paid"
  | "partially-refunded"
  | "refunded"
  | "failed"
  | "cancelled"
  | "expired";

export type OrderKind = "new-plan" | "renewal" | "change";

/** Where an order may go from each state. What is absent here can't happen, whatever an event says. */
export const moves: Record<OrderState, readonly OrderState[]> = {
  draft: ["pending", "processing", "needs-action", "paid", "failed", "cancelled", "expired"],
  pending: ["processing", "needs-action", "paid", "failed", "cancelled", "expired"],
  // Given up only by the provider's word: its invoice was voided there.
  processing: ["paid", "failed", "cancelled", "expired"],
  "needs-action": ["pending", "processing", "paid", "failed", "cancelled", "expired"],
  failed: ["pending", "processing", "needs-action", "paid", "cancelled", "expired"],
  paid: ["partially-refunded", "refunded"],
  // A refund that the bank sends back has not happened.
  "partially-refunded": ["paid", "refunded"],
  refunded: ["paid", "partially-refunded"],
  cancelled: ["paid"],
  expired: ["paid"],
};

/** The states from which an order may come to `to`: the WHERE of the statement that moves it. */
export function statesBefore(to: OrderState): OrderState[] {
  return orderStates.filter((from) => moves[from].includes(to));
}

/** States of an order. */
export const orderStates = Object.keys(moves) as OrderState[];

/** Still on its way: the one open purchase of an account. The table's partial UNIQUE index lists the same words. */
export const openStates = ["draft", "pending", "processing", "needs-action", "failed"] as const satisfies OrderState[];

export function isOpen(state: OrderState): boolean {
  return openStates.some((open) => open === state);
}

/** The payment pages, by the status in their path. */
export const paymentStatuses = ["success", "processing", "action", "failed", "cancelled", "expired"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Which page tells the truth about an order. */
export const statusOf: Record<OrderState, PaymentStatus> = {
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

export type Dispute = "none" | "needs-response" | "under-review" | "won" | "lost";

export type Order = {
  id: string;
  accountId: string;
  state: OrderState;
  dispute: Dispute;
  kind: OrderKind;
  planId: string;
  interval: "month" | "year";
  currency: string;
  amountMinor: number;
  taxMinor: number;
  discountMinor: number;
  creditMinor: number;
  refundedMinor: number;
  /** Of `refundedMinor`: what went back as the discount of a friend. */
  friendDiscountMinor: number;
  numberYear: number | null;
  numberInYear: number | null;
  checkoutId: string | null;
  checkoutUrl: string | null;
  invoiceId: string | null;
  receiptUrl: string | null;
  failure: string | null;
  attempts: number;
  nextTryAt: number | null;
  prorationAt: number | null;
  billedTo: BilledTo | null;
  /** Null: it isn't paid, or was before this was kept. */
  seller: Seller | null;
  taxes: Taxes | null;
  /** By when the dispute has to be answered; null: not at all, or not any more. */
  disputeDueAt: number | null;
  createdAt: number;
  expiresAt: number | null;
  paidAt: number | null;
  /** It may have been paid, and Stripe hasn't answered since: see unconfirmed.rules.ts. */
  isUnconfirmed: boolean;
  unconfirmedUntil: number | null;
};

/**
 * Whom it was billed to and what they paid with; `paidBy` is null where no money was needed. Orders from before don't know that, and
 * have the country's code as the last line of the address.
 */
export type BilledTo = {
  name: string | null;
  address: string[];
  country?: string | null;
  vatIds: string[];
  paidBy?: PaidBy | null;
};

/** Who sold it, as the config said when it was paid: a receipt doesn't change when the company moves. */
export type Seller = { name: string; address: readonly string[]; vatId: string | null };

/** `netMinor`: what the lines and the discount come to without tax; credit is taken off afterwards. */
export type Taxes = {
  netMinor: number;
  /** `percent` is null where the provider doesn't say the rate. */
  parts: { name: string | null; percent: number | null; amountMinor: number; isReverseCharge: boolean }[];
};

/** "visa" and the last digits of the card, or another way of paying in the provider's word ("sepa_debit"). */
export type PaidBy = { method: string; last4: string | null };

/** `2026-000042`: gapless per year of the seller's calendar. Null until it is paid. */
export function orderNumber(order: Pick<Order, "numberYear" | "numberInYear">): string | null {
  if (order.numberYear === null || order.numberInYear === null) return null;
  return spellNumber(order.numberYear, order.numberInYear);
}

export function spellNumber(year: number, inYear: number): string {
  return `${year}-${String(inYear).padStart(6, "0")}`;
}

/** What stands on an order's invoice at the provider, so that it is found there by our names. */
export function labelOf(order: Pick<Order, "id" | "numberYear" | "numberInYear">) {
  return { orderId: order.id, orderNumber: orderNumber(order) };
}

/** The year on the seller's calendar in which a payment fell. */
export function bookingYear(at: number, timeZone: string): number {
  return Number(dateFormat("en", { timeZone, year: "numeric" }).format(at));
}

/** A payment page without an order's id shows the newest order, if it is younger than this. */
export const newestOrderMs = dayMs;

/** A draft without a checkout is given up after this: Stripe forgets the idempotency key then. */
export const draftLifeMs = dayMs;

/** How long after its checkout expired an unpaid order is still synced: a payment may be reported late. */
export const checkoutNewsMs = dayMs;

/** A younger draft may be on its way to Stripe, whose deadline is shorter than this. */
export const underWayMs = 30 * secondMs;

/** Charges on the plan page, newest first. */
export const chargesShownMax = 12;

/** Orders on one page of the list. */
export const pageSize = 20;

export const upgradeForm = v.object({
  plan: v.pipe(text({ missing: "plan-missing", malformed: "plan-unknown" }), v.maxLength(100, "plan-unknown")),
  interval: v.optional(v.picklist(["month", "year"], "interval-unknown"), "month"),
  intent: v.picklist(["quote", "confirm", "use-card"], "intent-unknown"),
  quote: v.optional(v.pipe(text({ malformed: "quote-malformed" }), v.maxLength(200, "quote-malformed"))),
});

/** Which order somebody means: by its number (leading zeros or not), or by its id. Null: none that we could know. */
export type MeantOrder = { year: number; inYear: number } | { id: string };
