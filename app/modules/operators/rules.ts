/**
 * Decides who may call the operators' API and how its log reads. Invariants: there is a command line and no page; the token allows every
 * call; each call is logged under the name that its caller gave. Called from `app/api`.
 */
import { dayOf, spellDay, startOfDay } from "#app/core/time/calendar.ts";
import { matchesKeyedHash, keyedHash } from "#app/core/hash.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dayMs } from "#app/core/time/time.ts";

/** How a call ended. `began` without an end: it was interrupted, and may have taken effect. */
export const operatorOutcomes = ["began", "done", "refused", "broken"] as const;
export type OperatorOutcome = (typeof operatorOutcomes)[number];

/** How long the log is stored: longer than claims about an invitation or reward can be made. */
export const operatorLogRetentionMs = 3 * 365 * dayMs;

/** Rows on one page of a list. */
export const listedMax = 100;

/** The lists of what waits for an operator; hooks have others. */
export const coreReviewLists = [
  "withdrawals",
  "cancellations",
  "mismatches",
  "disputes",
  "fraudWarnings",
  "plans",
  "unclaimed",
  "friendDiscounts",
  "referrals",
  "failedMails",
  "failedEvents",
] as const;

export type CoreReviewList = (typeof coreReviewLists)[number];

export function reviewListNames(hooks: readonly { operators?: { reviewLists: object } }[]): string[] {
  return [...coreReviewLists, ...hooks.flatMap(({ operators }) => Object.keys(operators?.reviewLists ?? {}))];
}

/** Characters of what is searched for. */
export const findLengthMin = 3;

/** Customers in one answer to a search by name. */
export const matchesMax = 20;

/** Compared in constant time. Without a configured token the operators' API is off. */
export async function matchesOperatorToken(pepper: string, token: string | null, given: string): Promise<boolean> {
  if (token === null) return false;
  return matchesKeyedHash(pepper, "operator token", given, await keyedHash(pepper, "operator token", token));
}

/** Characters of the name in the `Operator` header. */
const nameLengthMax = 60;

/** The caller's name as given: for the log, not for a decision. */
export function readOperatorName(text: string | null): string {
  const plain = (text ?? "").replace(/[^\p{L}\p{M}\p{N}.@_-]+/gu, " ").trim();
  return plain === "" ? "unnamed" : plain.slice(0, nameLengthMax);
}

type Running = { interval: Interval; currency: string; amountMinor: number; isTrial: boolean; count: number };

/** Monthly recurring revenue: yearly plans by a twelfth, per currency, rounded like a charge. Nothing recurs of a trial yet. */
export function monthlyRevenue(plans: readonly Running[]): { currency: string; amountMinor: number }[] {
  const yearly = new Map<string, number>();
  for (const { interval, currency, amountMinor, count } of plans.filter(({ isTrial }) => !isTrial)) {
    const ofYear = amountMinor * count * (interval === "year" ? 1 : 12);
    yearly.set(currency, (yearly.get(currency) ?? 0) + ofYear);
  }
  return [...yearly].map(([currency, minor]) => ({ currency, amountMinor: roundAmount(minor / 12, currency) }));
}

/** A month of the seller's calendar. */
export type Month = { name: string; startsAt: number };

/** The calendar month of `now` and those before it, oldest first, in a time zone. */
export function lastMonths(now: number, timeZone: string, howMany: number): [Month, ...Month[]] {
  const { year, month } = dayOf(now, timeZone);
  const monthBefore = (count: number): Month => {
    const index = year * 12 + month - 1 - count;
    const first = { year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 };
    return { name: spellDay(first).slice(0, 7), startsAt: startOfDay(first, timeZone) };
  };
  const later = Array.from({ length: howMany - 1 }, (_, index) => monthBefore(howMany - 2 - index));
  return [monthBefore(howMany - 1), ...later];
}
