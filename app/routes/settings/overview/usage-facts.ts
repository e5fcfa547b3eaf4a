import { isUsedUp, readMeters, type UsageValue } from "#app/modules/billing/usage/rules.ts";
import { type Plan, type ProductConfig, seatsOf } from "#app/modules/catalogue/rules.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import { sayExcess } from "../say-excess.ts";
import { sayMeter } from "../devices/say-meter.ts";
import { usageMessages } from "../devices/usage.messages.ts";
import { overviewPlanMessages } from "./plan.messages.ts";

/** A limit of the plan and how much of it is used, in messages chosen on the server. */
export type MeterFacts = { label: string; text: string; value: number; max: number; mayBeFull?: true };

type Counts = {
  /** Null without a plan, when there are no limits. */
  plan: Pick<Plan, "limits"> | null;
  used: number;
  usage: readonly UsageValue[];
  month: string;
  locale: string;
};

/** The devices and the reported meters against the plan's limits, and which of them are used up. */
export function usageFacts({ meters }: Pick<ProductConfig, "meters">, { plan, used, usage, month, locale }: Counts) {
  if (!plan || used === 0) return { meters: [], full: [] };
  const messages = usageMessages.en;
  const seats = seatsOf(plan);
  const own = readMeters(meters, plan.limits, usage, month);
  const shown = own.flatMap((meter): MeterFacts[] =>
    meter.used
      ? [{ label: meter.label, text: sayMeter(meter, messages, locale), value: meter.used.value, max: meter.limit }]
      : [],
  );
  const devices = {
    label: overviewPlanMessages.en.devices,
    text: messages.last(String(used), String(seats)),
    value: used,
    max: seats,
    mayBeFull: true as const,
  };
  return {
    meters: [devices, ...shown],
    full: own.flatMap(({ label, unit, limit, used: now }) => {
      if (!now || !isUsedUp(now.value, limit)) return [];
      const excess = now.value > limit ? sayExcess({ label, unit, used: now.value, limit }, locale) : null;
      return [{ label, excess, limit: formatQuantity(limit, unit, locale) }];
    }),
  };
}
