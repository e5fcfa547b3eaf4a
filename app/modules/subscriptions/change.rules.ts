/**
 * When a change of plan happens. More plan or a longer interval begins at once and is charged for the rest of the period; less
 * of either begins when what was paid for has run out, so that nothing has to be paid back.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { Subscription } from "./rules.ts";
import { policies } from "./rules.ts";

export type Timing = "now" | "at-period-end";

type Sold = { planId: string; interval: "month" | "year" };

/** `rankOf` is a plan's place in the catalogue, cheapest first. Null: it is what runs already, and nothing else was chosen. */
export function timeChange(from: Sold, to: Sold, rankOf: (planId: string) => number): Timing | null {
  const more = rankOf(to.planId) - rankOf(from.planId);
  if (more === 0 && from.interval === to.interval) return null;
  const isShorter = from.interval === "year" && to.interval === "month";
  return more < 0 || isShorter ? "at-period-end" : "now";
}

/** What a plan promises and the other one doesn't, in the words of the catalogue. */
export function pointsLost(from: { points: readonly string[] }, to: { points: readonly string[] }): string[] {
  return from.points.filter((point) => !to.points.includes(point));
}

export type ChangeRefusal =
  | { reason: "same-plan" }
  /** It was cancelled: that has to be taken back first, so that nobody pays for a plan that ends. */
  | { reason: "plan-ends"; endsAt: number }
  | { reason: "payment-due" }
  /** Nothing is charged for it, so there is nothing that a change could be reckoned from. */
  | { reason: "plan-paused" }
  /** The team has put its charges on hold: one for a change would be held, too. */
  | { reason: "charges-on-hold" }
  /** Another one is planned and so close that it would begin while this one is being paid for. */
  | { reason: "change-begins"; beginsAt: number };

/** How long a plan change can wait for its payment; a scheduled change waits for that. */
export const setAsideMs = dayMs;

/** Why a running plan can't be changed to another; null: it can. */
export function judgeChange(running: Subscription, timing: Timing | null, now: number): ChangeRefusal | null {
  const { pendingPlanId, pendingAt, cancelsAt } = running;
  if (timing === null) return pendingPlanId === null ? { reason: "same-plan" } : null;
  if (policies[running.state].needsPayment) return { reason: "payment-due" };
  if (running.state === "paused") return { reason: "plan-paused" };
  if (running.collection === "on-hold") return { reason: "charges-on-hold" };
  if (cancelsAt !== null) return { reason: "plan-ends", endsAt: cancelsAt };
  const isClose = pendingAt !== null && now > pendingAt - setAsideMs;
  return timing === "now" && isClose ? { reason: "change-begins", beginsAt: pendingAt } : null;
}
