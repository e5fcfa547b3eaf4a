import { numberFormat } from "./formats.ts";

/** What is counted in bytes or in pieces, as a person reads it. */
export type Unit = "bytes" | "count";

/** Decimal units, as storage is sold. */
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];

/** "12.4 GB", "3 TB", "1,204". Cut, not rounded: 499.99 GB of 500 GB aren't all of it. */
export function formatQuantity(value: number, unit: Unit, locale: string): string {
  if (unit === "count") return numberFormat(locale).format(value);
  const step = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return numberFormat(locale, {
    ...{ style: "unit", unit: sizes[step], maximumFractionDigits: 1, roundingMode: "trunc" },
  }).format(value / 1000 ** step);
}
