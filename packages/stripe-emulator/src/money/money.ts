import { digitsOf } from "./currencies.ts";

/** Stripe's amounts are in the currency's smallest unit; not every currency has a hundred of them. */
export function formatAmount(amountMinor: number, given: string): string {
  const currency = given === "" ? "eur" : given;
  const digits = digitsOf(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat("en-IE", { style: "currency", currency, ...fraction });
  return format.format(amountMinor / 10 ** digits);
}

/** A typed amount, "12.50" or "12,50", in the currency's smallest unit; null when it isn't a valid amount. */
export function parseAmount(typed: string, currency: string): number | null {
  const digits = digitsOf(currency);
  const [, whole, fraction = ""] = /^(\d{1,9})(?:[.,](\d{1,3}))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined || fraction.length > digits) return null;
  return Number(whole + fraction.padEnd(digits, "0"));
}
