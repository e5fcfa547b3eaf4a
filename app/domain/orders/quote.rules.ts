/**
 * What is quoted is what is charged. A quote goes to the page and comes back with the confirmation; when the amount is
 * another by then, or the quote is old, the offer is shown again and nothing is charged.
 */
import { minuteMs } from "#app/domain/kernel/time.ts";

/** What a person saw before they confirmed: amount, currency and when; of a change of plan the moment it was reckoned by. */
export type Quote = { amountMinor: number; currency: string; quotedAt: number; prorationAt: number | null };

/** A quote older than this is shown again, not charged. */
export const quoteLifeMs = 10 * minuteMs;

export function writeQuote({ amountMinor, currency, quotedAt, prorationAt }: Quote): string {
  return [amountMinor, currency, quotedAt, ...(prorationAt === null ? [] : [prorationAt])].join(".");
}

/** Null: it is no quote of ours. */
export function readQuote(text: string | undefined): Quote | null {
  const parts = /^(\d{1,12})\.([A-Z]{3})\.(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text ?? "");
  if (!parts) return null;
  const [, amountMinor, currency = "", quotedAt, prorationAt] = parts;
  return {
    amountMinor: Number(amountMinor),
    currency,
    quotedAt: Number(quotedAt),
    prorationAt: prorationAt === undefined ? null : Number(prorationAt),
  };
}

/** Moved: the amount is another by now, the quote is too old, or there is none. */
export function quoteHolds(
  quote: Quote | null,
  today: { amountMinor: number; currency: string },
  now: number,
): boolean {
  if (!quote) return false;
  const age = now - quote.quotedAt;
  return quote.amountMinor === today.amountMinor && quote.currency === today.currency && age >= 0 && age <= quoteLifeMs;
}
