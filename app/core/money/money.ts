import { minorDigits } from "./minor-digits.ts";
import { numberFormat } from "../text/formats.ts";

/**
 * An amount in the currency's minor unit (cents, yen, fils) and an upper-case ISO 4217 code. Arithmetic uses integers; formatting happens
 * only at the edge.
 */
export type MoneyAmount = { amountMinor: number; currency: string };

export function money(amountMinor: number, currency: string): MoneyAmount {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`Not a whole number of minor units: ${amountMinor}`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Not an ISO 4217 code in capitals: ${currency}`);
  return { amountMinor, currency };
}

/** Adds amounts, which must be in one currency. The sum is in its minor unit. */
export function sumMinor(parts: readonly { amountMinor: number }[]): number {
  return parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Amounts formatted when the Worker was built (scripts/site/product-facts.ts); none in the browser and in tests. */
declare const FORMATTED_AMOUNTS: Readonly<Record<string, string>> | undefined;
const formattedAmounts = typeof FORMATTED_AMOUNTS === "undefined" ? {} : FORMATTED_AMOUNTS;

/** "€7.00" in the conventions of `locale`: charges, quotes, receipts and tables. */
export function formatMoney(value: MoneyAmount, locale: string): string {
  return formattedAmounts[formattedKey(value, locale)] ?? format(value, locale, minorDigits(value.currency));
}

/** "€7", and "€7.50" if the amount isn't whole: plan cards and marketing. */
export function formatPrice(value: MoneyAmount, locale: string): string {
  const digits = minorDigits(value.currency);
  const isWhole = value.amountMinor % 10 ** digits === 0;
  return formattedAmounts[`${formattedKey(value, locale)} price`] ?? format(value, locale, isWhole ? 0 : digits);
}

function formattedKey({ amountMinor, currency }: MoneyAmount, locale: string): string {
  return `${amountMinor} ${currency} ${locale}`;
}

/** `digits` are those of Stripe's minor unit, which differ from ICU's for some currencies. ICU's hyphen becomes a minus sign. */
function format(value: MoneyAmount, locale: string, digits: number): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const currencyFormat = numberFormat(locale, { style: "currency", currency: value.currency, ...fraction });
  // A decimal string, not a float: Intl formats it exactly, however large the amount.
  return currencyFormat.format(toDecimal(value) as `${number}`).replace("-", "\u2212");
}

/** "6.00", "600" (JPY), "0.600" (KWD): for spreadsheets and programs. */
export function toDecimal(value: MoneyAmount): string {
  const digits = minorDigits(value.currency);
  const sign = value.amountMinor < 0 ? "-" : "";
  const figures = String(Math.abs(value.amountMinor)).padStart(digits + 1, "0");
  if (digits === 0) return sign + figures;
  return `${sign}${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
}
