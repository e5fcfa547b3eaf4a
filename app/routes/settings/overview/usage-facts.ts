import { type Count, isUsedUp, readMeters, type UsageValue } from "#app/modules/billing/usage/rules.ts";
import type { Plan, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import { sayMeter } from "#app/http/page/say-meter.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import { countedOf } from "#app/features.ts";

/** A limit of the plan and how much of it is used, in messages chosen on the server. */
export type MeterFacts = { label: string; text: string; value: number; max: number; mayBeFull?: true };

type Counts = {
  /** Null without a plan, when there are no limits. */
  plan: Pick<Plan, "limits"> | null;
  counts: readonly Count[];
  usage: readonly UsageValue[];
  month: string;
  locale: string;
};

/** What is counted and the reported meters against the plan's limits, and which of the meters are used up. */
export function usageFacts({ meters }: Pick<ProductConfig, "meters">, { plan, counts, usage, month, locale }: Counts) {
  if (!plan || counts.every(({ used }) => used === 0)) return { meters: [], full: [] };
  const messages = usageMessages.en;
  const own = readMeters(meters, plan.limits, usage, month);
  const shown = own.flatMap((meter): MeterFacts[] =>
    meter.used
      ? [{ label: meter.label, text: sayMeter(meter, messages, locale), value: meter.used.value, max: meter.limit }]
      : [],
  );
  const counted = counts.map(({ name, used }) => ({
    label: countedOf(name)?.messages.label ?? name,
    text: messages.last(String(used), String(plan.limits[name] ?? 0)),
    value: used,
    max: plan.limits[name] ?? 0,
    mayBeFull: true as const,
  }));
  return {
    meters: [...counted, ...shown],
    full: own.flatMap(({ label, unit, limit, used: now }) => {
      if (!now || !isUsedUp(now.value, limit)) return [];
      const most = formatQuantity(limit, unit, locale);
      const excess = now.value > limit ? { label, used: formatQuantity(now.value, unit, locale), limit: most } : null;
      return [{ label, excess, limit: most }];
    }),
  };
}
