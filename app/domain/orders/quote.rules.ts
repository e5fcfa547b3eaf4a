/**
 * What is quoted is what is charged. A quote goes to the page and comes back with the confirmation; when the amount is
 * another by then, or the quote is old, the offer is shown again and nothing is charged.
 */
import { minuteMs } from "#app/domain/kernel/time.ts";

/** What a person saw before they confirmed: amount, currency and when. */
export type Quote = { amountMinor: number; currency: string; quotedAt: number };

/** A quote older than this is shown again, not charged. */
export const quoteLifeMs = 10 * minuteMs;

export function writeQuote(quote: Quote): string {
  return `${quote.amountMinor}.${quote.currency}.${quote.quotedAt}`;
}

/** Moved: the amount is another by now, the quote is too old, or it is no quote of ours. */
export function quoteHolds(
  text: string | undefined,
  today: { amountMinor: number; currency: string },
  now: number,
): boolean {
  const parts = /^(\d{1,12})\.([A-Z]{3})\.(\d{1,15})$/.exec(text ?? "");
  if (!parts) return false;
  const [, amountMinor, currency, quotedAt] = parts;
  const age = now - Number(quotedAt);
  return Number(amountMinor) === today.amountMinor && currency === today.currency && age >= 0 && age <= quoteLifeMs;
}
