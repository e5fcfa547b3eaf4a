import { numberFormat } from "./formats.ts";

/**
 * An amount in the currency's minor unit (cents, yen, fils) and an ISO 4217 code in capitals.
 * Arithmetic happens in integers; formatting only at the edge.
 */
export type Money = { amountMinor: number; currency: string };

export function money(amountMinor: number, currency: string): Money {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`Not a whole number of minor units: ${amountMinor}`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Not an ISO 4217 code in capitals: ${currency}`);
  return { amountMinor, currency };
}

/** How many digits stand after the point: 2 for EUR, 0 for JPY, 3 for KWD. ICU's table, which follows ISO 4217. */
export function minorDigits(currency: string): number {
  return numberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** For people: "6.00 €" in the conventions of `locale`. */
export function formatMoney(value: Money, locale: string): string {
  // A decimal string, not a float: Intl reads it exactly, however large the amount.
  return numberFormat(locale, { style: "currency", currency: value.currency }).format(toDecimal(value) as `${number}`);
}

/** "6.00", "600" (JPY), "0.600" (KWD): for spreadsheets and machines. */
export function toDecimal(value: Money): string {
  const digits = minorDigits(value.currency);
  const sign = value.amountMinor < 0 ? "-" : "";
  const figures = String(Math.abs(value.amountMinor)).padStart(digits + 1, "0");
  if (digits === 0) return sign + figures;
  return `${sign}${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
}
