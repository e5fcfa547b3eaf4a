import { formatQuantity } from "#app/core/text/quantity.ts";
import { countedOf } from "#app/features.ts";
import type { Excess } from "#app/modules/billing/usage/rules.ts";
import { planAheadMessages } from "./plan/messages.ts";

/** What is used beyond a plan, in the words of what is counted, or of the meter; on the server like `sayWithdrawal`. */
export function sayExcess(plan: string, { name, label, unit, used, limit }: Excess, locale: string): string {
  const amounts = { used: formatQuantity(used, unit, locale), limit: formatQuantity(limit, unit, locale) };
  const counted = name === null ? null : countedOf(name);
  return counted
    ? counted.messages.excess(plan, amounts.used, amounts.limit)
    : planAheadMessages.en.excess(plan, { label: label ?? "", ...amounts });
}
