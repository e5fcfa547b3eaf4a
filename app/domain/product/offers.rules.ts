import type { Money } from "#app/domain/kernel/money.ts";
import { type Gate, gateGuards, type Interval, type Plan, priceOf, type ProductConfig } from "./rules.ts";

export type PlanOffer = {
  id: string;
  name: string;
  tagline: string;
  points: readonly string[];
  /** Null: nothing to pay. */
  price: Money | null;
  /** What the year costs less than twelve months, and what it comes to per month; null when paid by the month. */
  saving: { amount: Money; perMonth: Money } | null;
  state: "open" | "behind-gate" | "not-on-sale";
};

/** The plans as a page offers them, in the config's order. */
export function offersOf(config: ProductConfig, gate: Gate, interval: Interval, isOnSale: boolean): PlanOffer[] {
  return config.plans.map((plan) => ({
    id: plan.id,
    name: plan.name,
    tagline: plan.tagline,
    points: plan.points,
    price: plan.prices ? priceOf(config, plan, interval) : null,
    saving: plan.prices && interval === "year" ? yearlyOffer(config, plan.prices) : null,
    state: gateGuards(gate, plan.id) ? "behind-gate" : plan.prices && !isOnSale ? "not-on-sale" : "open",
  }));
}

function yearlyOffer({ currency }: ProductConfig, { month, year }: NonNullable<Plan["prices"]>) {
  return {
    amount: { amountMinor: 12 * month.amountMinor - year.amountMinor, currency },
    perMonth: { amountMinor: Math.round(year.amountMinor / 12), currency },
  };
}
