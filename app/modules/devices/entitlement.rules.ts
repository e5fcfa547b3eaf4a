/**
 * Decides what an account's devices may do now: the plan with its limits, and one state. Invariant: it is signed, so that the product can
 * verify it offline for a day; changes arrive with the next refresh. Called from the product API.
 */
import type { AccountId, DeviceId } from "#app/core/id.ts";
import * as v from "valibot";
import { type Plan, seatsOf } from "#app/modules/catalogue/rules.ts";
import { hourMs, secondMs } from "#app/core/time/time.ts";

/** How long a product works without reaching the site. */
export const entitlementLifeMs = 24 * hourMs;
/** How often a product refreshes its entitlement, and the longest delay of a change. */
const entitlementRefreshMs = hourMs;

/**
 * The most severe state that applies.
 * - `grace`: a payment is overdue; nothing is restricted
 * - `over-limit`: more devices than seats, and the owner chooses which to remove; nothing is restricted
 * - `locked`: the access that the config's `lockedMeans` describes
 * - `ended`: no plan and no access, only in products without a free plan
 */
const statesOfPlan = ["active", "grace", "over-limit", "locked"] as const;
const entitlementStates = [...statesOfPlan, "ended"] as const;
type EntitlementState = (typeof entitlementStates)[number];

const text = (what: string) => v.pipe(v.string(), v.description(what));
const seconds = (what: string) => v.pipe(v.number(), v.integer(), v.description(what));
const count = v.pipe(v.number(), v.integer());

const stateWords = "grace: a payment is due. over-limit: more devices than seats. locked: the payment is overdue";

/** The token's claims, as the OpenAPI document describes them. */
export const entitlementSchema = v.object({
  iss: text("The site's address"),
  aud: text("The product's segment"),
  sub: text("The account"),
  device: text("The device it was issued to"),
  plan: v.pipe(v.nullable(text("The plan's id")), v.description("Null: there is no plan")),
  limits: v.pipe(v.record(v.string(), count), v.description("The plan's limits, by name; 0 of each without a plan")),
  state: v.pipe(v.picklist(entitlementStates), v.description(`${stateWords}. ended: there is no plan`)),
  access: v.picklist(["full", "read", "none"]),
  seats: v.object({ used: count, of: count }),
  iat: seconds("When it was issued, in seconds since 1970"),
  exp: seconds("When it expires"),
  refreshAt: seconds("When it should be refreshed"),
});

type Described = { lockedMeans: string; hasFreePlan: boolean };

/** Like `entitlementSchema`, with the config's text about a locked plan. A product with a free plan always has one in force. */
export function describeEntitlement({ lockedMeans, hasFreePlan }: Described) {
  const { entries } = entitlementSchema;
  const locked = `read: the plan is locked. ${lockedMeans}`;
  if (!hasFreePlan) {
    const access = v.pipe(entries.access, v.description(`${locked} none: no plan is in force`));
    return v.object({ ...entries, access });
  }
  return v.object({
    ...entries,
    plan: text("The plan's id"),
    limits: v.pipe(v.record(v.string(), count), v.description("What the plan holds, by name")),
    state: v.pipe(v.picklist(statesOfPlan), v.description(stateWords)),
    access: v.pipe(v.picklist(["full", "read"]), v.description(locked)),
  });
}

/** The form in which a device receives it. */
export const entitlementToken = v.pipe(
  v.string(),
  v.description("A JWT (EdDSA), to be checked with the keys at /.well-known/jwks.json; its claims are the entitlement"),
);

export type Entitlement = v.InferOutput<typeof entitlementSchema>;

export type EntitlementFacts = {
  accountId: AccountId;
  deviceId: DeviceId;
  /** Null without a plan: every limit is 0 then. */
  planId: string | null;
  limits: Plan["limits"];
  /** What the running subscription's state means. Null if there is none. */
  policy: { hasAccess: boolean; needsPayment: boolean } | null;
  seatsUsed: number;
};

export function entitlementState({
  planId,
  limits,
  policy,
  seatsUsed,
}: Omit<EntitlementFacts, "accountId" | "deviceId">): EntitlementState {
  if (planId === null) return "ended";
  if (policy && !policy.hasAccess) return "locked";
  if (seatsUsed > seatsOf({ limits })) return "over-limit";
  return policy?.needsPayment ? "grace" : "active";
}

const accessOf = {
  active: "full",
  grace: "full",
  "over-limit": "full",
  locked: "read",
  ended: "none",
} as const satisfies Record<EntitlementState, string>;

/** All claims but the issuer, the product and the times. */
export function entitlementClaims(facts: EntitlementFacts) {
  const state = entitlementState(facts);
  return {
    sub: facts.accountId,
    device: facts.deviceId,
    plan: facts.planId,
    limits: facts.limits,
    state,
    access: accessOf[state],
    seats: { used: facts.seatsUsed, of: seatsOf(facts) },
  };
}

export type Claims = ReturnType<typeof entitlementClaims>;

/** A replica that shows no use of a device for this long may have stopped: a product that runs asks every `entitlementRefreshMs`. */
const replicaAgeMaxMs = 2 * entitlementRefreshMs;

/**
 * Whether a device may be told what a replica says. What is granted may be late: it then stands in a token for a day anyway, and a change of
 * plan in the last moment arrives with the next refresh. What is refused or restricted may not, since a payment or an activation may just have
 * lifted it, so the primary is asked. A device's last use bounds the replica's age: each refresh writes it, so a replica that is behind for
 * longer doesn't show it.
 */
export function isReplicaEnough({ state }: Pick<Claims, "state">, lastSeenAt: number, now: number): boolean {
  return (state === "active" || state === "grace") && lastSeenAt > now - replicaAgeMaxMs;
}

/** In seconds, as JWTs count time. */
export function entitlementTimes(now: number) {
  const iat = Math.floor(now / secondMs);
  return { iat, exp: iat + entitlementLifeMs / secondMs, refreshAt: iat + entitlementRefreshMs / secondMs };
}

/** The refresh interval a time falls into: a token issued in the same interval is fresh enough. */
export function refreshPeriod(now: number): number {
  return Math.floor(now / entitlementRefreshMs);
}
