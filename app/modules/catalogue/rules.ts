/**
 * What `app/product/config.ts` may contain, and the questions other modules ask of it. Invariants: a plan without prices is the free
 * plan, with no Stripe object and no order; a product has at most one, and without one an account that doesn't pay has no plan in force
 * (docs/decisions/plans-in-the-config.md). Called from everywhere; `gate.rules.ts` decides what is open by invitation only.
 */
import { type Interval, intervals } from "#app/core/time/interval.ts";
import type { MoneyAmount } from "#app/core/money/money.ts";
import type { Unit } from "#app/core/text/quantity.ts";
import type { EmailLimits } from "./email-limits.rules.ts";
import type { HttpsOnly } from "./https-only.rules.ts";
import type { ThirdParty } from "./third-parties.rules.ts";

export type Plan = {
  id: string;
  name: string;
  tagline: string;
  /** Includes tax, and has at least one interval. Null if there is nothing to pay. */
  prices: { readonly [interval in Interval]?: { readonly amountMinor: number } } | null;
  /** `false` retires a paid plan: its subscribers keep it, with renewals and limits, and it isn't offered any more. */
  sold?: boolean;
  /** Set by the catalogue, never in a config: the config lacks this plan, and it comes from the database. */
  isFormer?: true;
  /** What the meters are measured against, and how many there may be of what features count. */
  limits: { readonly [limit: string]: number };
  /** What a plan includes, a line each. `{devices}` is replaced by the plan's limit of that name. */
  points: readonly string[];
};

/** Something the product counts: devices report it, the settings show it, and emails warn about it. */
export type Meter = {
  key: string;
  label: string;
  /**
   * `last`: the present value; the newest reports of all devices are added up. `maximum`: the highest value any one device reported in a
   * calendar month.
   */
  kind: "last" | "maximum";
  unit: Unit;
  /** Which of a plan's limits it is measured against. */
  limit: string;
};

/** What the checkout asks for: every customer's full address, or only as much as the payment and Stripe Tax need. */
type BillingAddress = "auto" | "required";

/**
 * `stripe`: Stripe Tax decides per buyer. `rate`: every price includes this tax, in percent, by the name that documents call it. `exempt`: no
 * tax, with the wording that the law wants on documents.
 */
export type TaxSetting = "stripe" | { readonly rate: number; readonly name: string } | { readonly exempt: string };

/** A feature with settings of its own adds them in its folder (`declare module`). */
export interface ProductConfig {
  name: string;
  /** Names the Worker, its database and the package (`npm run brand`); left out, they stay as they are in wrangler.toml. */
  resources?: string;
  /** Where the database stores its data, for good once it is made: eu, us or fedramp; left out, Cloudflare chooses. */
  jurisdiction?: "eu" | "us" | "fedramp";
  /** The word in `/settings/{segment}/…`. */
  segment: string;
  /** One line below the name. */
  tagline: string;
  /** For search engines and link previews. */
  description: string;
  /** One of Stripe's, in capitals; amounts are in its minor unit, see `app/core/money/currencies.ts`. */
  currency: string;
  /** How dates and numbers are written for visitors and new accounts. */
  locale: string;
  /** The time zone of the seller's calendar, and of new accounts whose own is unknown. */
  timeZone: string;
  /** `none`, `signup` or `plan:<id>`: what is open by invitation only. Left out: `none`. */
  gate?: string;
  /** How many emails go out, beside what your email service takes; left out, the defaults of `email-limits.rules.ts`. */
  emailLimits?: Readonly<EmailLimits>;
  /** Cheapest first: a later plan is an upgrade. */
  plans: readonly Plan[];
  /** What devices report, and which of a plan's limits it is measured against. */
  meters: readonly Meter[];
  /** A sentence: what a customer still has while the plan is locked because a payment is missing, and what stops. */
  lockedMeans: string;
  /**
   * A sentence or two: what happens to a customer's data when the plan gets smaller or ends, true of every smaller plan. `{day}` is
   * replaced by the day that is `dataKeptDays` later. Optional: without it, pages and emails don't mention data.
   */
  dataWhenSmaller?: string;
  /** For how many days after a plan has got smaller or ended the product keeps what no longer fits. Needed for `{day}`. */
  dataKeptDays?: number;
  /** A sentence or two: what happens to a customer's data when the account is closed and erased. Optional: else `dataWhenSmaller` is shown. */
  dataWhenClosed?: string;
  /** A sentence for users on the free plan: why and when they would upgrade. Unused without a free plan. */
  freeHint?: string;
  /** How documents state the tax that prices include. */
  tax: TaxSetting;
  /** Days before a yearly renewal on which its owner is reminded: 30 unless set. Some places demand it between 15 and 45 days before. */
  renewalReminderDays?: number;
  /** `required`: the checkout asks every customer for a full address. */
  billingAddress: BillingAddress;
  /** Amounts in minor units, days, rewards a year. */
  referral: {
    /** Off: no new invitations; rewards already promised are still paid. */
    state: "open" | "off";
    friendDiscountMinor: number;
    referrerCreditMinor: number;
    qualifyingAmountMinor: number;
    holdDays: number;
    rewardsPerYear: number;
    attributionDays: number;
  };
  /** Getting started: downloads, steps and a link that opens the product. */
  start: {
    downloads: readonly { label: string; href: string; detail: string }[];
    /** `needsKey`: the page of devices shows the licence key in this step until the first device is activated. */
    steps: readonly { title: string; text: string; needsKey?: boolean }[];
    /** Opens the product: an app's own scheme, or a web app's https address. Left out, there is no such link. */
    activationUrl?: string;
  };
  /** Shown on receipts, in the footer and in the imprint. If `vatId` is null, no page mentions one. */
  seller: { name: string; address: readonly string[]; vatId: string | null };
  /** Further lines of the imprint: who represents the seller, its register, a telephone number. */
  imprint?: readonly string[];
  /** Who receives error reports, as the privacy notice names them. If null, the notice names the receiver's host. */
  errorReceiver: string | null;
  /** What customers see on their card and bank statements, in capitals. Left out, Stripe shows the account's own. */
  statementDescriptor?: string;
  /** Address in the footer and on error pages; Reply-To of emails. */
  support: string;
  statusUrl: string;
  /**
   * What follows the first year of a yearly plan. `another-term`: another year. `month-notice`: it goes on, can be ended with a month's notice,
   * and the rest is refunded, as § 309 Nr. 9 BGB asks of contracts with consumers.
   */
  afterFirstTerm: "another-term" | "month-notice";
  /**
   * What happens to a plan while the customer's bank decides about a disputed payment of it. `continue`: nothing. `pause`: it is locked and not
   * charged; it continues if the bank decides for the seller.
   */
  duringDispute: "continue" | "pause";
  /** `off`: no page and no links of withdrawal. */
  withdrawalDays: number | "off";
  /** Whether anyone can cancel a contract without signing in, on `/cancel`. `off`: no page and no links. */
  cancellationPage: "on" | "off";
  /**
   * Services of other companies on the site's pages: analytics, a chat, fonts. Pages, the content security policy and the privacy notice
   * follow from it. Left out, there are none. docs/guides/customise.md has examples.
   */
  thirdParties?: readonly ThirdParty[];
  /** The hosts for which browsers insist on https. */
  httpsOnly: HttpsOnly;
  /** The version that a new account agrees to. */
  terms: { version: string };
}

/** Whether Stripe Tax computes the tax of each invoice. */
export function isTaxedByStripe({ tax }: { tax: TaxSetting }): boolean {
  return tax === "stripe";
}

/**
 * Whether mailboxes and payment methods of customers are compared, so that an offer for new ones is given once: not while there are no new
 * invitations and none that were promised before are worth anything.
 */
export function comparesCustomers({ referral }: Pick<ProductConfig, "referral">): boolean {
  const { state, friendDiscountMinor, referrerCreditMinor } = referral;
  return state === "open" || friendDiscountMinor > 0 || referrerCreditMinor > 0;
}

export function findPlan(config: ProductConfig, planId: string | null | undefined): Plan | null {
  return config.plans.find((plan) => plan.id === planId) ?? null;
}

/** A plan's position in the catalogue, cheapest first. */
export function rankOf({ plans }: Pick<ProductConfig, "plans">, planId: string): number {
  return plans.findIndex(({ id }) => id === planId);
}

/** The plan of accounts that don't pay. Null if the product has no free plan, so that they have none. */
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

/** Whether plans limit something of this name; former plans don't count. */
export function hasLimit({ plans }: { plans: readonly Pick<Plan, "limits" | "isFormer">[] }, name: string): boolean {
  return plans.some(({ limits, isFormer }) => !isFormer && limits[name] !== undefined);
}

export function intervalsOf({ prices }: Pick<Plan, "prices">): Interval[] {
  return intervals.filter((interval) => prices?.[interval] !== undefined);
}

/** The interval asked for if the plan has it, else its only one. */
export function intervalFor(plan: Plan, wanted: Interval): Interval {
  return plan.prices?.[wanted] ? wanted : (intervalsOf(plan)[0] ?? wanted);
}

export function isInterval(text: string | null | undefined): text is Interval {
  return intervals.some((interval) => interval === text);
}

/** Null if the plan has no price for this interval. */
export function priceOf({ currency }: ProductConfig, { prices }: Plan, interval: Interval): MoneyAmount | null {
  const price = prices?.[interval];
  return price ? { amountMinor: price.amountMinor, currency } : null;
}

/** The catalogue's price of a plan, in minor units; zero for an unknown plan. */
export function priceMinorOf(config: ProductConfig, planId: string, interval: Interval): number {
  return findPlan(config, planId)?.prices?.[interval]?.amountMinor ?? 0;
}

/** The lookup key of a plan's price, by which both sides find it at Stripe. */
export function priceKey(planId: string, interval: Interval): string {
  return `${planId}_${interval}`;
}

/** The price by the month, by which plans are sorted: a twelfth of the yearly price if there is no monthly one. */
export function monthlyPrice({ prices }: Pick<Plan, "prices">): number {
  return prices?.month?.amountMinor ?? (prices?.year?.amountMinor ?? 0) / 12;
}
