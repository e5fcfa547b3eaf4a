/**
 * Decides whether a plan is paused because a payment of it is disputed. Invariants: nothing is charged while it is, and what the team put on
 * hold at Stripe stays as it is. Called from the reconciler.
 */
import {
  type Collection,
  isDisputeOpen,
  isSubscriptionEnded,
  type SubscriptionStatus,
} from "#app/core/stripe/states.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** `charges` are those that paid for the plan. */
export function isPausedByDispute(
  { duringDispute }: Pick<ProductConfig, "duringDispute">,
  status: SubscriptionStatus,
  charges: readonly { disputes: readonly { state: string }[] }[],
): boolean {
  if (duringDispute === "continue" || isSubscriptionEnded(status)) return false;
  return charges.some(({ disputes }) => disputes.some(({ state }) => isDisputeOpen(state)));
}

/** What has to change at Stripe. Null if nothing. */
export function holdToChange(
  isPaused: boolean,
  { isHeldForDispute, collection }: { isHeldForDispute: boolean; collection: Collection },
): "hold" | "release" | null {
  if (isPaused === isHeldForDispute) return null;
  if (!isPaused) return "release";
  return collection === "on-hold" ? null : "hold";
}
