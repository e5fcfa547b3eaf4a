import { formatMoney } from "#app/core/money/money.ts";
import { minorDigits } from "#app/core/money/minor-digits.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import { formatDay } from "#app/core/time/time.ts";
import { localesOf } from "#app/modules/accounts/rules.ts";

/** Beyond the 12th, so that day and month can't be mistaken for each other. */
const sampleDay = Date.UTC(2026, 10, 23);

/** The formats that a user can choose from, each as it writes one day and one amount. */
export function dateFormats(product: { locale: string; currency: string }): { value: string; label: string }[] {
  const { currency } = product;
  // With thousands and, where the currency has them, decimals.
  const amountMinor = roundAmount(1234.5 * 10 ** minorDigits(currency), currency);
  return localesOf(product).map((locale) => ({
    value: locale,
    label: `${formatDay(sampleDay, { locale, timeZone: "UTC" })}, ${formatMoney({ amountMinor, currency }, locale)}`,
  }));
}
