/**
 * Decides what an order contains and how it is numbered. Invariant: numbers are gapless within a year of the seller's calendar. Its states are in
 * states.rules.ts. Called from the reconciler, the checkout and every page that shows an order.
 */
import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import type { BillingReason } from "#app/core/stripe/states.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dayMs } from "#app/core/time/time.ts";
import { dateFormat } from "#app/core/text/formats.ts";
import type { OrderStatus } from "./states.rules.ts";

export type OrderKind = BillingReason;

export type Order = OrderStatus & {
  id: OrderId;
  accountId: AccountId;
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
  attempts: number;
  nextTryAt: number | null;
  prorationAt: number | null;
  createdAt: number;
  expiresAt: number | null;
  /** The customer's time zone when it was paid. Null before that. */
  buyerTimeZone: string | null;
};

/** An order with what a list says of it besides. */
export type MarkedOrder = Order & {
  /** What banks took of it. */
  lostMinor: number;
  /** Its owner has withdrawn from the contract, and isn't refunded yet. */
  isWithdrawn: boolean;
};

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

/** Charges on the plan page, newest first. */
export const chargesShownMax = 3;

/** Orders on one page of the list. */
export const pageSize = 20;

/** An order by its number, with or without leading zeros, or by its id. */
export type MeantOrder = { year: number; inYear: number } | { id: OrderId };
