import { minorDigits } from "./minor-digits.ts";
import { numberFormat } from "../text/formats.ts";

/**
 * An amount in the currency's minor unit (cents, yen, fils) and an upper-case ISO 4217 code. Arithmetic uses integers; formatting happens
 * only at the edge.
 */
export type Money = { amountMinor: number; currency: string };

export function money(amountMinor: number, currency: string): Money {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`Not a whole number of minor units: ${amountMinor}`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Not an ISO 4217 code in capitals: ${currency}`);
  return { amountMinor, currency };
}

/** Amounts formatted when the Worker was built (scripts/site/product-facts.ts); none in the browser and in tests. */
declare const FORMATTED_AMOUNTS: Readonly<Record<string, string>> | undefined;
const formattedAmounts = typeof FORMATTED_AMOUNTS === "undefined" ? {} : FORMATTED_AMOUNTS;

/** For display: "6.00 €" in the conventions of `locale`. */
export function formatMoney(value: Money, locale: string): string {
  const formatted = formattedAmounts[`${value.amountMinor} ${value.currency} ${locale}`];
  if (formatted !== undefined) return formatted;
  // A decimal string, not a float: Intl formats it exactly, however large the amount.
  return currencyFormat(locale, value.currency).format(toDecimal(value) as `${number}`);
}

/** Uses the digits of Stripe's minor unit, which differ from ICU's for some currencies. */
function currencyFormat(locale: string, currency: string): Intl.NumberFormat {
  const digits = minorDigits(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat(locale, { style: "currency", currency, ...fraction });
}

/** "6.00", "600" (JPY), "0.600" (KWD): for spreadsheets and programs. */
export function toDecimal(value: Money): string {
  const digits = minorDigits(value.currency);
  const sign = value.amountMinor < 0 ? "-" : "";
  const figures = String(Math.abs(value.amountMinor)).padStart(digits + 1, "0");
  if (digits === 0) return sign + figures;
  return `${sign}${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
}
