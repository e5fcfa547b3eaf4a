/** A plan's points take their numbers from its limits, so that what is sold and what is enforced are one fact. */
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Meter, Plan } from "./rules.ts";

type Config = { locale: string; plans: readonly Pick<Plan, "limits" | "points">[]; meters: readonly Meter[] };

/** The config with `{limit}` in its points replaced: a limit whose name ends in `Bytes`, or whose meter counts bytes, as "5 GB". */
export function withPoints<const Given extends Config>(config: Given): Given {
  const plans = config.plans.map((plan) => ({
    ...plan,
    // When they are read: most requests of a new isolate need no number format.
    get points() {
      return plan.points.map((point) => fillIn(point, plan, config));
    },
  }));
  // The same type: only texts differ.
  return { ...config, plans } as Given;
}

function fillIn(point: string, { limits }: Pick<Plan, "limits">, { locale, meters }: Config): string {
  return point.replaceAll(braced, (whole, name: string) => {
    const value = limits[name];
    if (value === undefined) return whole;
    const unit = meters.find(({ limit }) => limit === name)?.unit ?? (name.endsWith("Bytes") ? "bytes" : "count");
    return formatQuantity(value, unit, locale);
  });
}

/** The names in braces that stayed in a plan's points, since it has no such limit. */
export function unknownLimits({ points }: Pick<Plan, "points">): string[] {
  return points.flatMap((point) => [...point.matchAll(braced)].map(([, name = ""]) => name));
}

const braced = /\{(\w*)\}/g;
