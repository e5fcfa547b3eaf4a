/**
 * The operators module: what the team behind the product may ask and decide. It has a command and no page; whoever has the token may
 * do all of it. Each call stands in the log, under the name that its caller gave.
 */
import { fitsKeyedHash, keyedHash } from "#app/core/digest.ts";
import { dayMs } from "#app/core/time/time.ts";

/** How a call ended. One that only ever `began` was cut off: what it was to do may have happened. */
export type OperatorOutcome = "began" | "done" | "refused" | "broken";

/** How long the log is stored: longer than any claim about an invitation or a reward. */
export const operatorActsKeptMs = 3 * 365 * dayMs;

/** Rows on one page of a list. */
export const listedMax = 100;

/** What waits for an operator, list by list. */
export const reviewListNames = [
  "withdrawals",
  "disputes",
  "friendDiscounts",
  "referrals",
  "entries",
  "failedMails",
  "failedEvents",
] as const;

export type ReviewList = (typeof reviewListNames)[number];

/** Customers in one answer to a search by name. */
export const matchesMax = 20;

/** Compared in constant time. An unset token opens nothing: the operators' calls are off. */
export async function fitsOperatorToken(pepper: string, token: string | null, given: string): Promise<boolean> {
  if (token === null) return false;
  return fitsKeyedHash(pepper, "operator token", given, await keyedHash(pepper, "operator token", token));
}

/** Of the operator's name in the `Operator` header. */
const nameLettersMax = 60;

/** Who says to be calling: for the log, not for any decision. */
export function readOperatorName(text: string | null): string {
  const plain = (text ?? "").replace(/[^\p{L}\p{M}\p{N}.@_-]+/gu, " ").trim();
  return plain === "" ? "unnamed" : plain.slice(0, nameLettersMax);
}

type Running = { interval: string; currency: string; amountMinor: number; count: number };

/** What running plans bring in a month: a year's plan a twelfth of its price, each currency for itself, in whole minor units. */
export function monthlyRevenue(plans: readonly Running[]): { currency: string; amountMinor: number }[] {
  const yearly = new Map<string, number>();
  for (const { interval, currency, amountMinor, count } of plans) {
    const ofYear = amountMinor * count * (interval === "year" ? 1 : 12);
    yearly.set(currency, (yearly.get(currency) ?? 0) + ofYear);
  }
  return [...yearly].map(([currency, minor]) => ({ currency, amountMinor: Math.round(minor / 12) }));
}
