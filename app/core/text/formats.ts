/** Intl formatters. Creating one takes longer than using it a hundred times, so they are cached. */
export const dateFormat = cached(
  (locale, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
export const numberFormat = cached(
  (locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
export const nameFormat = cached(
  (locale, type: "region" | "language" = "region") => new Intl.DisplayNames(locale, { type }),
);

/** The locale of dates in a text: the reader's own, unless its words for months would mix two languages. */
export function localeWithin(language: string, locale: string): string {
  if (locale.split("-")[0] === language) return locale;
  return language === "en" ? "en-GB" : language;
}

/** Formatters of each kind cached per isolate: more than the locales and time zones of an hour's visitors. */
const cachedMax = 200;

function cached<Options, Format>(make: (locale: string, options?: Options) => Format) {
  const made = new Map<string, Format>();
  return (locale: string, options?: Options): Format => {
    const name = JSON.stringify([locale, options]);
    let format = made.get(name);
    if (format === undefined) {
      format = make(locale, options);
      if (made.size === cachedMax) made.clear();
      made.set(name, format);
    }
    return format;
  };
}
