import { locales } from "#app/modules/accounts/rules.ts";
import { dateFormat, nameFormat } from "#app/core/text/formats.ts";

let options: { value: string; label: string }[] | undefined;

/** The locales a user can choose from, each with an example date. */
export function localeOptions(): readonly { value: string; label: string }[] {
  return (options ??= locales.map((locale) => ({ value: locale, label: nameLocale(locale) })));
}

/** "British English: 20 November 2026". */
function nameLocale(locale: string): string {
  const sample = dateFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(Date.UTC(2026, 10, 20));
  return `${nameFormat("en", "language").of(locale)}: ${sample}`;
}
