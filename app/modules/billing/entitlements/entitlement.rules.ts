/**
 * Decides what an account may use now: the plan with its limits, and one state. Invariant: it is signed, so that the product can verify it
 * offline for a day; changes arrive with the next refresh. Called from the product API.
 */
import type { AccountId } from "#app/core/id.ts";
import * as v from "valibot";
import { limitsOf, planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import type { Plan, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import { policies, type SubscriptionState } from "../subscriptions/rules.ts";

/** How long a product works without reaching the site. */
export const entitlementLifeMs = 24 * hourMs;
/** How often a product refreshes its entitlement, and the longest delay of a change. */
export const entitlementRefreshMs = hourMs;

/**
 * The most severe state that applies.
 * - `grace`: a payment is overdue; nothing is restricted
 * - `over-limit`: there is more of something than the plan allows, and the owner chooses what to remove; nothing is restricted
 * - `locked`: the access that the config's `lockedMeans` describes
 * - `ended`: no plan and no access, only in products without a free plan
 */
const statesOfPlan = ["active", "grace", "over-limit", "locked"] as const;
const entitlementStates = [...statesOfPlan, "ended"] as const;
type EntitlementState = (typeof entitlementStates)[number];

const text = (what: string) => v.pipe(v.string(), v.description(what));
const seconds = (what: string) => v.pipe(v.number(), v.integer(), v.description(what));
const count = v.pipe(v.number(), v.integer());

const issued = {
  iss: text("The site's address"),
  aud: text("The product's segment"),
  sub: text("The account"),
};
const times = {
  iat: seconds("When it was issued, in seconds since 1970"),
  exp: seconds("When it expires"),
  refreshAt: seconds("When it should be refreshed"),
};
const limits = v.record(v.string(), count);

/** `overLimit` says of what there may be more than the plan allows. */
type Described = { lockedMeans: string; hasFreePlan: boolean; overLimit: string };

/**
 * The token's claims, as the OpenAPI document describes them, with the config's text about a locked plan. A product with a free plan always
 * has one in force.
 */
export function describeEntitlement({ lockedMeans, hasFreePlan, overLimit }: Described) {
  const state = `grace: a payment is due. over-limit: ${overLimit}. locked: the payment is overdue`;
  const access = `read: the plan is locked. ${lockedMeans}`;
  const ofPlan = {
    plan: text("The plan's id"),
    limits: v.pipe(limits, v.description("What the plan holds, by name")),
    state: v.pipe(v.picklist(statesOfPlan), v.description(state)),
    access: v.pipe(v.picklist(["full", "read"]), v.description(access)),
  };
  const withoutFreePlan = {
    plan: v.pipe(v.nullable(ofPlan.plan), v.description("Null: there is no plan")),
    limits: v.pipe(limits, v.description("The plan's limits, by name; 0 of each without a plan")),
    state: v.pipe(v.picklist(entitlementStates), v.description(`${state}. ended: there is no plan`)),
    access: v.pipe(v.picklist(["full", "read", "none"]), v.description(`${access} none: no plan is in force`)),
  };
  return { ...issued, ...(hasFreePlan ? ofPlan : withoutFreePlan), ...times };
}

/** The form in which the product receives it. */
export const entitlementToken = v.pipe(
  v.string(),
  v.description("A JWT (EdDSA), to be checked with the keys at /.well-known/jwks.json; its claims are the entitlement"),
);

type EntitlementFacts = {
  accountId: AccountId;
  /** Of the running subscription. Null if there is none. */
  planId: string | null;
  subscriptionState: SubscriptionState | null;
  /** How many there are of what plans limit by number, by the names of the limits. */
  counted: Readonly<Record<string, number>>;
};

/** All claims but the issuer, the product and the times. Without a plan every limit is 0. */
export function entitlementOf(
  product: ProductConfig,
  { accountId, planId, subscriptionState, counted }: EntitlementFacts,
) {
  const plan = planInForce(product, planId);
  const allowed = limitsOf(product, plan);
  const isOverLimit = Object.entries(counted).some(([name, used]) => used > (allowed[name] ?? 0));
  const policy = subscriptionState === null ? null : policies[subscriptionState];
  const state = entitlementState(plan, policy, isOverLimit);
  return { sub: accountId, plan: plan?.id ?? null, limits: allowed, state, access: accessOf[state] };
}

/** `policy` is what the running subscription's state means. */
export function entitlementState(
  plan: Pick<Plan, "limits"> | null,
  policy: { hasAccess: boolean; needsPayment: boolean } | null,
  isOverLimit: boolean,
): EntitlementState {
  if (plan === null) return "ended";
  if (policy && !policy.hasAccess) return "locked";
  if (isOverLimit) return "over-limit";
  return policy?.needsPayment ? "grace" : "active";
}

const accessOf = {
  active: "full",
  grace: "full",
  "over-limit": "full",
  locked: "read",
  ended: "none",
} as const satisfies Record<EntitlementState, string>;

export type Claims = ReturnType<typeof entitlementOf>;

/** In seconds, as JWTs count time. */
export function entitlementTimes(now: number) {
  const iat = Math.floor(now / secondMs);
  return { iat, exp: iat + entitlementLifeMs / secondMs, refreshAt: iat + entitlementRefreshMs / secondMs };
}

/** The refresh interval a time falls into: a token issued in the same interval is fresh enough. */
export function refreshPeriod(now: number): number {
  return Math.floor(now / entitlementRefreshMs);
}
