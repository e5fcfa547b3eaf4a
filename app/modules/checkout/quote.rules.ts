/**
 * What is quoted is what is charged. A quote goes to the page and comes back with the confirmation; when the amount is
 * another by then, or the quote is old, the offer is shown again and nothing is charged. It comes back under our hash: whoever could
 * choose the moment that a change is reckoned by would choose the last one of a period, and pay nothing for the larger plan.
 */
import { fitsKeyedHash, keyedHash } from "#app/core/digest.ts";
import { minuteMs } from "#app/core/time/time.ts";

/** What a person saw before they confirmed: amount, currency and when; of a change of plan the moment it was reckoned by. */
export type Quote = { amountMinor: number; currency: string; quotedAt: number; prorationAt: number | null };

/** An older quote is shown again, not charged. */
export const quoteLifeMs = 10 * minuteMs;

const use = "quote";

/** What a page holds of a quote that was made for an account. */
export async function writeQuote(pepper: string, accountId: string, quote: Quote): Promise<string> {
  const { amountMinor, currency, quotedAt, prorationAt } = quote;
  const said = [amountMinor, currency, quotedAt, ...(prorationAt === null ? [] : [prorationAt])].join(".");
  return `${said}.${await keyedHash(pepper, use, `${accountId}\n${said}`)}`;
}

/** Null: it is no quote of ours, or was made for somebody else. */
export async function readQuote(pepper: string, accountId: string, text: string | undefined): Promise<Quote | null> {
  const parts = /^((\d{1,12})\.([A-Z]{3})\.(\d{1,15})(?:\.(\d{1,15}))?)\.([0-9a-z]+)$/.exec(text ?? "");
  if (!parts) return null;
  const [, said = "", amountMinor, currency = "", quotedAt, prorationAt, hash = ""] = parts;
  if (!(await fitsKeyedHash(pepper, use, `${accountId}\n${said}`, hash))) return null;
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
