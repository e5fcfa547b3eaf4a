import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Excess } from "#app/modules/billing/usage/rules.ts";

/** Formats both amounts for the reader, on the server like `sayWithdrawal`. */
export function sayExcess({ label, unit, used, limit }: Excess, locale: string) {
  return { label, used: formatQuantity(used, unit, locale), limit: formatQuantity(limit, unit, locale) };
}
