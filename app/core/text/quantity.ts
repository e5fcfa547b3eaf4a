import { numberFormat } from "./formats.ts";

/** A number of bytes or items, formatted for display. */
export type Unit = "bytes" | "count";

/** Decimal units, as storage is sold. */
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];

/** "12.4 GB", "3 TB", "1,204". Rounded down: 499.99 GB of 500 GB must not read as full. */
export function formatQuantity(value: number, unit: Unit, locale: string): string {
  if (unit === "count") return numberFormat(locale).format(value);
  const step = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return numberFormat(locale, {
    style: "unit",
    unit: sizes[step],
    maximumFractionDigits: 1,
    roundingMode: "trunc",
  }).format(value / 1000 ** step);
}
