/**
 * What an account's devices may do now, as it is told to each of them: the plan with its limits, and one word for how the account
 * stands. It is signed, so that the product can check it without us, for a day; what changes shows at the next refresh.
 */
import { hourMs, secondMs } from "#app/domain/kernel/time.ts";

/** A product goes on with it this long when it can't reach us … */
export const entitlementLifeMs = 24 * hourMs;
/** … and asks for a new one this often. */
export const entitlementRefreshMs = hourMs;

/**
 * The worst that is true: `locked` reads and restores but doesn't write; `over-limit` has more devices than seats, and its owner chooses
 * which ones go; `grace` waits for a payment. The last two may do everything.
 */
export const entitlementStates = ["active", "grace", "over-limit", "locked"] as const;
export type EntitlementState = (typeof entitlementStates)[number];

export type Facts = {
  accountId: string;
  deviceId: string;
  plan: { id: string; limits: { readonly devices: number; readonly [limit: string]: number } };
  /** What the state of the running subscription means; null: nothing is paid for, and nothing is due. */
  policy: { hasAccess: boolean; needsPayment: boolean } | null;
  seatsUsed: number;
};

export function entitlementState({ plan, policy, seatsUsed }: Omit<Facts, "accountId" | "deviceId">): EntitlementState {
  if (policy && !policy.hasAccess) return "locked";
  if (seatsUsed > plan.limits.devices) return "over-limit";
  return policy?.needsPayment ? "grace" : "active";
}

/** Everything in it but when it was made and who made it. */
export function entitlementClaims(facts: Facts) {
  const state = entitlementState(facts);
  return {
    sub: facts.accountId,
    device: facts.deviceId,
    plan: facts.plan.id,
    limits: facts.plan.limits,
    state,
    access: state === "locked" ? ("read" as const) : ("full" as const),
    seats: { used: facts.seatsUsed, of: facts.plan.limits.devices },
  };
}

export type Claims = ReturnType<typeof entitlementClaims>;

/** In seconds, as tokens count. */
export function entitlementTimes(now: number) {
  const iat = Math.floor(now / secondMs);
  return { iat, exp: iat + entitlementLifeMs / secondMs, refreshAt: iat + entitlementRefreshMs / secondMs };
}

/** The same for as long as a token that was made in it is still new enough. */
export function refreshPeriod(now: number): number {
  return Math.floor(now / entitlementRefreshMs);
}
