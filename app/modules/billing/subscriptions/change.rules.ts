/**
 * Decides when a change of plan takes effect. Invariants: a larger plan or longer interval starts immediately and the rest of the period
 * is prorated; a smaller or shorter one starts with the next period, so that nothing has to be refunded. Called from the offer of a
 * change and its confirmation.
 */
import type { Interval } from "#app/core/time/interval.ts";
import { dayMs } from "#app/core/time/time.ts";
import { type Subscription, policies } from "./rules.ts";

export type Timing = "now" | "at-period-end";

type Sold = { planId: string; interval: Interval };

/** `rankOf` gives a plan's position in the catalogue, cheapest first. Null if it is the running plan. */
export function timeChange(from: Sold, to: Sold, rankOf: (planId: string) => number): Timing | null {
  const more = rankOf(to.planId) - rankOf(from.planId);
  if (more === 0 && from.interval === to.interval) return null;
  const isShorter = from.interval === "year" && to.interval === "month";
  return more < 0 || isShorter ? "at-period-end" : "now";
}

/** The features of a plan that the other one lacks, as the catalogue names them. */
export function pointsLost(from: { points: readonly string[] }, to: { points: readonly string[] }): string[] {
  return from.points.filter((point) => !to.points.includes(point));
}

export type ChangeRefusal =
  | { reason: "same-plan" }
  /** The plan was cancelled. That has to be undone first, so that the customer doesn't pay for a plan that ends. */
  | { reason: "plan-ends"; endsAt: number }
  | { reason: "payment-due" }
  /** Nothing is charged for the plan, so there is nothing to prorate. */
  | { reason: "plan-paused" }
  /** A bank decides about one of its payments. */
  | { reason: "plan-disputed" }
  /** A team member paused collection, so a charge for a change wouldn't be collected either. */
  | { reason: "charges-on-hold" }
  /** Another change is scheduled so soon that it would begin while this one is being paid. */
  | { reason: "change-begins"; beginsAt: number };

/** How long a change of plan can wait for its payment; a scheduled change is deferred for that time. */
export const deferralMs = dayMs;

/** Why a running plan can't be changed to another. Null if it can. */
export function checkChange(running: Subscription, timing: Timing | null, now: number): ChangeRefusal | null {
  const { pendingPlanId, pendingAt, cancelsAt } = running;
  if (timing === null) return pendingPlanId === null ? { reason: "same-plan" } : null;
  if (policies[running.state].needsPayment) return { reason: "payment-due" };
  if (running.pauseCause === "disputed") return { reason: "plan-disputed" };
  if (running.state === "paused") return { reason: "plan-paused" };
  if (running.collection === "on-hold") return { reason: "charges-on-hold" };
  if (cancelsAt !== null) return { reason: "plan-ends", endsAt: cancelsAt };
  const isClose = pendingAt !== null && now > pendingAt - deferralMs;
  return timing === "now" && isClose ? { reason: "change-begins", beginsAt: pendingAt } : null;
}

/** Whether the scheduled change is only to paying for another period, and the plan stays. */
export function changesIntervalAlone({
  planId,
  pendingPlanId,
}: Pick<Subscription, "planId" | "pendingPlanId">): boolean {
  return pendingPlanId === planId;
}
