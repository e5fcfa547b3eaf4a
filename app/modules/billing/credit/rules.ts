/**
 * Decides what credit consists of and how long it lasts. Invariants: a line is one transaction, and its amount is never edited; the credit
 * is the sum of the lines and is never negative; rewards expire, and deductions use what expires first. Called from the ledger's sync and
 * the page of credit.
 */
import { sumMinor } from "#app/core/money/money.ts";
import type { BalanceTransactionId, CheckoutId, CustomerId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { LedgerLineId, ReferralId } from "#app/core/id.ts";
import { monthsLater } from "#app/core/time/time.ts";

export const lineKinds = ["earned", "applied", "reversed", "expired"] as const;
type LineKind = (typeof lineKinds)[number];

/** Why a line exists, by kind: the page has a message for each. */
export const whys = [
  // Earned: a friend's payment was final; a change of plan left an amount over; a team member gave it.
  "friend",
  "left-over",
  "given",
  // Applied: an order used it, or was cancelled and returned it; it paid a debt carried from an earlier charge.
  "order",
  "order-void",
  "debt",
  // Reversed: the friend's payment was refunded or disputed, or came from the referrer's own card; other credit makes up for what had
  // been used; the order that used it was refunded; a team member deducted it; it had been used before it could be deducted.
  "refund",
  "dispute",
  "same-card",
  "made-up",
  "order-refunded",
  "taken",
  "used-first",
  // Expired: its time was over; its account was erased.
  "term",
  "account-erased",
] as const;
export type Why = (typeof whys)[number];

export type Line = {
  id: LedgerLineId;
  kind: LineKind;
  amountMinor: number;
  currency: string;
  why: Why;
  referralId: ReferralId | null;
  invoiceId: InvoiceId | CheckoutId | null;
  owedMinor: number;
  happenedAt: number;
  expiresAt: number | null;
  customerId: CustomerId | null;
  providerId: BalanceTransactionId | null;
  askedBack: Why | null;
  closedAt: number | null;
};

/** Months in which a reward can be used. Credit that was paid for or given doesn't expire. */
export const creditMonths = 12;
/** Lines on the page, newest first. */
export const listedLinesMax = 50;

export function expiryOf(earnedAt: number): number {
  return monthsLater(earnedAt, creditMonths);
}

export function earnedLineId(referralId: ReferralId): LedgerLineId {
  return `line_${referralId}.earned`;
}

export function reversedLineId(referralId: ReferralId): LedgerLineId {
  return `line_${referralId}.reversed`;
}

export function balanceOf(lines: Pick<Line, "amountMinor">[]): number {
  return sumMinor(lines);
}
