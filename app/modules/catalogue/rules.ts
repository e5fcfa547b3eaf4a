/**
 * The product module: what `app/product/config.ts` may say, and the questions the rest of the house asks of it.
 * A plan without prices is the free plan: no Stripe object, no order. A product has one or none; without it, an account that
 * doesn't pay has no plan in force (0085). The gate says what the waitlist guards; LAUNCH_GATE, a
 * variable of the deployment, overrides the config so that doors open without a new build.
 */
import type { Money } from "#app/core/money/money.ts";
import type { Unit } from "#app/core/text/quantity.ts";
import type { HttpsOnly } from "./https-only.rules.ts";

export const intervals = ["month", "year"] as const;
export type Interval = (typeof intervals)[number];

export type Plan = {
  id: string;
  name: string;
  tagline: string;
  /** Tax included; at least one interval. Null: nothing to pay. */
  prices: { readonly [interval in Interval]?: { readonly amountMinor: number } } | null;
  /** `false` retires a paid plan: its subscribers keep it, with renewals and limits, and it isn't offered any more. */
  sold?: boolean;
  /** Set by the catalogue, never in a config: the config lacks this plan, and it comes from the database. */
  isFormer?: true;
  /** Seats, and what the meters are measured against. */
  limits: { readonly devices: number; readonly [limit: string]: number };
  points: readonly string[];
};

/** Something of the product that is counted: devices report it, the account's page shows it, mails warn of it. */
export type Meter = {
  key: string;
  label: string;
  /**
   * `last`: what is there now; each device's newest report counts, and those of all devices add up. `maximum`: the most that any one
   * device reported in a calendar month.
   */
  kind: "last" | "maximum";
  unit: Unit;
  /** Which of a plan's limits it is measured against. */
  limit: string;
};

export type Preference = { key: string; label: string; hint?: string } & (
  | { kind: "choice"; options: readonly { value: string; label: string }[]; default: string }
  /** `limit`: one of the plans' limits, which the number isn't set above either. */
  | { kind: "number"; min: number; max: number; default: number; limit?: string }
  | { kind: "switch"; default: boolean }
);

export type Gate = { kind: "none" } | { kind: "signup" } | { kind: "plan"; planId: string };

/** What the checkout asks for: every customer's full address, or only as much as the payment and Stripe Tax need. */
export type BillingAddress = "auto" | "required";

export type ProductConfig = {
  name: string;
  segment: string;
  tagline: string;
  description: string;
  currency: string;
  locale: string;
  timeZone: string;
  gate: string;
  waitlist: "open" | "full";
  /** Sent by the clock to those who are next in line; 0: operators alone invite. */
  invitationsPerDay: number;
  /** Cheapest first: whoever goes down the list changes to more. */
  plans: readonly Plan[];
  meters: readonly Meter[];
  /** A sentence: what a customer still has while the plan is locked because a payment is missing, and what stops. */
  lockedMeans: string;
  /** A sentence for people on the free plan: why and when they would choose another one. Not used without a free plan. */
  freeHint?: string;
  automaticTax: boolean;
  billingAddress: BillingAddress;
  referral: {
    /** Off: nobody is invited any more; what was promised before is kept. */
    state: "open" | "off";
    friendDiscountMinor: number;
    referrerCreditMinor: number;
    qualifyingAmountMinor: number;
    holdDays: number;
    rewardsPerYear: number;
    attributionDays: number;
  };
  preferences: readonly Preference[];
  start: {
    downloads: readonly { label: string; href: string; detail: string }[];
    steps: readonly { title: string; text: string }[];
    activationUrl: string;
  };
  /** Null: the seller has no VAT ID, and no page mentions one. */
  seller: { name: string; address: readonly string[]; vatId: string | null };
  /** Who receives error reports, as the privacy notice names them; null: the notice names the receiver's host. */
  errorReceiver: string | null;
  support: string;
  statusUrl: string;
  withdrawalDays: number | "off";
  httpsOnly: HttpsOnly;
  terms: { version: string };
};

export function findPlan(config: ProductConfig, planId: string | null | undefined): Plan | null {
  return config.plans.find((plan) => plan.id === planId) ?? null;
}

/** A plan's place in the catalogue, cheapest first. */
export function rankOf({ plans }: Pick<ProductConfig, "plans">, planId: string): number {
  return plans.findIndex(({ id }) => id === planId);
}

/** What accounts have that pay for no plan; null: the product has no free plan, and they have none. */
export function freePlan({ plans }: Pick<ProductConfig, "plans">): Plan | null {
  return plans.find(({ prices }) => prices === null) ?? null;
}

/** Whether it can be bought. */
export function isSold({ prices, sold }: Plan): boolean {
  return prices !== null && sold !== false;
}

/** What a visitor can choose: everything but retired plans. */
export function isOffered({ sold }: Plan): boolean {
  return sold !== false;
}

/** The intervals that a plan has a price for. */
export function intervalsOf({ prices }: Pick<Plan, "prices">): Interval[] {
  return intervals.filter((interval) => prices?.[interval] !== undefined);
}

/** The interval that was asked for where the plan has it, else the one that it has. */
export function intervalFor(plan: Plan, asked: Interval): Interval {
  return plan.prices?.[asked] ? asked : (intervalsOf(plan)[0] ?? asked);
}

export function isInterval(text: string | null | undefined): text is Interval {
  return intervals.some((interval) => interval === text);
}

/** Null: the plan has no price for this interval. */
export function priceOf({ currency }: ProductConfig, { prices }: Plan, interval: Interval): Money | null {
  const price = prices?.[interval];
  return price ? { amountMinor: price.amountMinor, currency } : null;
}

/** What the catalogue asks for a plan, in minor units; zero where there is none of that name. */
export function priceMinorOf(config: ProductConfig, planId: string, interval: Interval): number {
  return findPlan(config, planId)?.prices?.[interval]?.amountMinor ?? 0;
}

/** Stripe's lookup key of a plan's price, the one name under which both sides know it. */
export function priceKey(planId: string, interval: Interval): string {
  return `${planId}_${interval}`;
}

/** By which plans are ranked: a year alone counts by the month. */
export function monthlyPrice({ prices }: Pick<Plan, "prices">): number {
  return prices?.month?.amountMinor ?? (prices?.year?.amountMinor ?? 0) / 12;
}

/** The gate in force: the deployment's word, else the config's. A word that names no plan of ours throws at once. */
export function readGate(config: ProductConfig, override: string | undefined): Gate {
  const word = override || config.gate;
  if (word === "none") return { kind: "none" };
  if (word === "signup") return { kind: "signup" };
  const planId = word.startsWith("plan:") ? word.slice("plan:".length) : null;
  if (!findPlan(config, planId)) throw new Error(`LAUNCH_GATE is none, signup or plan:<id>, not "${word}"`);
  return { kind: "plan", planId: planId ?? "" };
}

export function gateGuards(gate: Gate, planId: string): boolean {
  return gate.kind === "plan" && gate.planId === planId;
}

/** One word for a gate, as it stands on a waitlist entry. Null: there is nothing to wait for. */
export function gateWord(gate: Gate): string | null {
  switch (gate.kind) {
    case "none":
      return null;
    case "signup":
      return "signup";
    case "plan":
      return `plan:${gate.planId}`;
  }
}

/** Pages of the product's own segment; its name is the config's, so no page writes it down. */
export function segmentPath(config: Pick<ProductConfig, "segment">, page: "account" | "plan" | "settings"): string {
  return `/settings/${config.segment}/${page}`;
}
