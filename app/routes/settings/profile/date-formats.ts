import { formatDay } from "#app/core/time/time.ts";
import { localesOf } from "#app/modules/accounts/rules.ts";

/** Beyond the 12th, so that day and month can't be mistaken for each other. */
const sampleDay = Date.UTC(2026, 10, 23);

/** The formats that a user can choose from, each as it writes one day. */
export function dateFormats(product: { locale: string }): { value: string; label: string }[] {
  return localesOf(product).map((locale) => ({
    value: locale,
    label: formatDay(sampleDay, { locale, timeZone: "UTC" }),
  }));
}
