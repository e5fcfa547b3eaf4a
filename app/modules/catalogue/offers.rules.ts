/** What visitors are offered: plans, prices, savings. Retired plans aren't offered. Called from the landing page and the page of plans. */
import type { MoneyAmount } from "#app/core/money/money.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import { type Interval, intervals } from "#app/core/time/interval.ts";
import { intervalFor, isOffered, isSold, type Plan, priceKey, priceOf, type ProductConfig } from "./rules.ts";
import { type Gate, gateGuards } from "./gate.rules.ts";

export type PlanOffer = {
  id: string;
  name: string;
  tagline: string;
  points: readonly string[];
  /** Null if the plan is free. */
  price: MoneyAmount | null;
  /** The interval of the price: the one asked for, or the only one the plan has. */
  interval: Interval;
  /** What a year saves compared with twelve months, and its price per month. Null for a monthly price, or without both prices. */
  saving: { amount: MoneyAmount; perMonth: MoneyAmount } | null;
  /** `price-differs`: Stripe would charge another price than the one shown. */
  state: "open" | "behind-gate" | "not-on-sale" | "price-differs";
};

/** Whether there are payments at all, and the lookup keys of the prices that Stripe has otherwise. */
type Sale = { isOpen: boolean; unsold: ReadonlySet<string> };

export const allOnSale: Sale = { isOpen: true, unsold: new Set() };

/** The plans to offer, in the config's order. */
export function offersOf(config: ProductConfig, gate: Gate, wanted: Interval, sale: Sale): PlanOffer[] {
  return config.plans.filter(isOffered).map((plan) => {
    const interval = intervalFor(plan, wanted);
    return {
      id: plan.id,
      name: plan.name,
      tagline: plan.tagline,
      points: plan.points,
      price: priceOf(config, plan, interval),
      interval,
      saving: interval === "year" ? savingOf(config, plan) : null,
      state: gateGuards(gate, plan.id) ? "behind-gate" : plan.prices ? stateOf(plan.id, interval, sale) : "open",
    };
  });
}

function stateOf(planId: string, interval: Interval, { isOpen, unsold }: Sale): PlanOffer["state"] {
  if (!isOpen) return "not-on-sale";
  return unsold.has(priceKey(planId, interval)) ? "price-differs" : "open";
}

function savingOf({ currency }: ProductConfig, { prices }: Plan): PlanOffer["saving"] {
  const { month, year } = prices ?? {};
  if (!month || !year || year.amountMinor >= 12 * month.amountMinor) return null;
  return {
    amount: { amountMinor: 12 * month.amountMinor - year.amountMinor, currency },
    perMonth: { amountMinor: roundAmount(year.amountMinor / 12, currency), currency },
  };
}

/** The intervals a visitor can choose from: those of the plans on sale. */
export function intervalsSold({ plans }: Pick<ProductConfig, "plans">): Interval[] {
  return intervals.filter((interval) => plans.some((plan) => isSold(plan) && plan.prices?.[interval]));
}

/** How many whole months a year saves, if it is the same number for each plan; else 0. */
export function monthsLess({ plans }: Pick<ProductConfig, "plans">): number {
  const less = plans.filter(isSold).map(({ prices }) => {
    const { month, year } = prices ?? {};
    return month && year ? 12 - year.amountMinor / month.amountMinor : 0;
  });
  return less.every((months) => months === less[0] && months > 0 && Number.isInteger(months)) ? (less[0] ?? 0) : 0;
}
