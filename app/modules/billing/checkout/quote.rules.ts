/**
 * Ensures that what is quoted is what is charged. Invariants: a quote is shown on the page and sent back with the confirmation; if the
 * amount has changed or the quote is old, the offer is shown again and nothing is charged; it is signed, since a user who could choose
 * its proration date would choose the end of the period and upgrade for nothing. Called from the checkout and from changes of plan.
 */
import type { AccountId } from "#app/core/id.ts";
import { matchesKeyedHash, keyedHash } from "#app/core/hash.ts";
import { minuteMs } from "#app/core/time/time.ts";

/** What the user saw before confirming: amount, currency and time; for a change of plan also its proration date. */
export type Quote = { amountMinor: number; currency: string; quotedAt: number; prorationAt: number | null };

/** An older quote is shown again and not charged. */
export const quoteLifeMs = 10 * minuteMs;

const use = "quote";

/** The signed quote for a page of this account. */
export async function writeQuote(pepper: string, accountId: AccountId, quote: Quote): Promise<string> {
  const { amountMinor, currency, quotedAt, prorationAt } = quote;
  const payload = [amountMinor, currency, quotedAt, ...(prorationAt === null ? [] : [prorationAt])].join(".");
  return `${payload}.${await keyedHash(pepper, use, `${accountId}\n${payload}`)}`;
}

/** Null if the quote wasn't signed by us, or for another account. */
export async function readQuote(pepper: string, accountId: AccountId, text: string | undefined): Promise<Quote | null> {
  const parts = /^((\d{1,12})\.([A-Z]{3})\.(\d{1,15})(?:\.(\d{1,15}))?)\.([0-9a-z]+)$/.exec(text ?? "");
  if (!parts) return null;
  const [, payload = "", amountMinor, currency = "", quotedAt, prorationAt, hash = ""] = parts;
  if (!(await matchesKeyedHash(pepper, use, `${accountId}\n${payload}`, hash))) return null;
  return {
    amountMinor: Number(amountMinor),
    currency,
    quotedAt: Number(quotedAt),
    prorationAt: prorationAt === undefined ? null : Number(prorationAt),
  };
}

/** False if the amount has changed, the quote is too old, or there is none. */
export function isQuoteCurrent(
  quote: Quote | null,
  today: { amountMinor: number; currency: string },
  now: number,
): boolean {
  if (!quote) return false;
  const age = now - quote.quotedAt;
  return quote.amountMinor === today.amountMinor && quote.currency === today.currency && age >= 0 && age <= quoteLifeMs;
}
