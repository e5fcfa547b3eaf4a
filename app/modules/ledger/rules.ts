/**
 * The ledger module: what credit somebody has, and how it came about. A line is one movement and is never edited; the sum of the lines is
 * the credit. Rewards run out; what is taken goes from whatever runs out first, and nobody can owe us anything by it.
 */
import { monthsLater } from "#app/core/time/time.ts";

export type LineKind = "earned" | "applied" | "reversed" | "expired";

/** What a line says of itself, by kind: a page has a sentence for each. */
export const whys = [
  // Earned: a friend stayed; a change of plan left something over; the team gave it.
  "friend",
  "left-over",
  "given",
  // Applied: an order used it, or was given up and it came back; it paid for what was carried from an earlier charge.
  "order",
  "order-void",
  "debt",
  // Reversed: the friend's money went back, or came by a card of one's own; other credit makes up for what was used by then; the order that had used it was
  // refunded; the team took it; it was gone by the time that it was to be taken.
  "refund",
  "dispute",
  "same-card",
  "made-up",
  "order-refunded",
  "taken",
  "used-first",
  // Expired: its months are over; its owner is gone.
  "term",
  "gone",
] as const;
export type Why = (typeof whys)[number];

export type Line = {
  id: string;
  kind: LineKind;
  amountMinor: number;
  currency: string;
  why: Why;
  referralId: string | null;
  invoiceId: string | null;
  owedMinor: number;
  happenedAt: number;
  expiresAt: number | null;
  customerId: string | null;
  providerId: string | null;
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

export function earnedLineId(referralId: string): string {
  return `line_${referralId}.earned`;
}

export function balanceOf(lines: Pick<Line, "amountMinor">[]): number {
  return lines.reduce((sum, line) => sum + line.amountMinor, 0);
}
