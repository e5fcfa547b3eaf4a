import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Meter } from "#app/modules/catalogue/rules.ts";
import type { usageMessages } from "./usage.messages.ts";

type MeterRead = Pick<Meter, "kind" | "unit"> & { limit: number; used: { value: number } | null };
type UsageTexts = Pick<(typeof usageMessages)["en"], "last" | "maximum" | "none">;

/** How much of a meter's limit is used, or that nothing was reported. */
export function sayMeter({ kind, unit, limit, used }: MeterRead, messages: UsageTexts, locale: string): string {
  const say = (value: number) => formatQuantity(value, unit, locale);
  return used ? messages[kind](say(used.value), say(limit)) : messages.none(say(limit));
}
