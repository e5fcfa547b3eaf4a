import { numberFormat } from "./formats.ts";

export type Unit = "bytes" | "count";

/** Decimal units, as storage is sold. */
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];

/** "12.4 GB", "3 TB", "1,204", without a line break inside. Rounded down: 499.99 GB of 500 GB must not read as full. */
export function formatQuantity(value: number, unit: Unit, locale: string): string {
  if (unit === "count") return numberFormat(locale).format(value);
  const step = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const format = numberFormat(locale, {
    style: "unit",
    unit: sizes[step],
    // The short form of English has no plural: "300 byte".
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: 1,
    roundingMode: "trunc",
  });
  return format.format(value / 1000 ** step).replaceAll(/\s/g, "\u00a0");
}

/** "19%", "8.875%" of 19 and 8.875: rates of tax. */
export function formatPercent(percent: number, locale: string): string {
  return numberFormat(locale, { style: "percent", maximumFractionDigits: 4 }).format(percent / 100);
}
