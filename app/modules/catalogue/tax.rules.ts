/** Decides how much tax a total includes at the config's own rate. Called from quotes and from the documents about what was paid. */
import { roundTax } from "#app/core/money/round-amount.ts";
import type { TaxSetting } from "./rules.ts";

type FixedTax = { name: string; percent: number; amountMinor: number };

/** Rounded once, to the smallest unit of a tax. Null if Stripe decides, or the seller is exempt. */
export function fixedTax(
  setting: TaxSetting,
  { totalMinor, currency }: { totalMinor: number; currency: string },
): FixedTax | null {
  if (setting === "stripe" || isExempt(setting)) return null;
  const { name, rate: percent } = setting;
  return { name, percent, amountMinor: roundTax((totalMinor * percent) / (100 + percent), currency) };
}

export function isExempt(setting: TaxSetting): setting is Extract<TaxSetting, { exempt: string }> {
  return typeof setting === "object" && "exempt" in setting;
}
