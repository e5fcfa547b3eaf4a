/**
 * Decides who is asked why they cancelled, and what they may answer. Invariants: the answer is optional, and the last one replaces those
 * before. Called from the page of the plan.
 */
import type { EndCause } from "#app/core/stripe/states.ts";
import { dayMs } from "#app/core/time/time.ts";

/** Why a plan was cancelled, in the order in which the form offers them. */
export const reasonsToCancel = [
  "too-expensive",
  "unused",
  "feature-missing",
  "unreliable",
  "other-product",
  "other",
] as const;
export type CancellationReason = (typeof reasonsToCancel)[number];

/** How long after the end of a plan its owner can still say why. */
export const reasonTakenMs = 30 * dayMs;
/** Characters of a comment. */
export const commentLengthMax = 500;

type Facts = { cancelsAt: number | null; endedAt: number | null; endCause: EndCause | null };

/** Whether a plan's owner is asked: it is cancelled, or ended a short while ago. Nobody is asked about an end that they didn't choose. */
export function asksForReason({ cancelsAt, endedAt, endCause }: Facts, now: number): boolean {
  if (endCause !== null) return false;
  return endedAt === null ? cancelsAt !== null : endedAt > now - reasonTakenMs;
}

export type ReasonGiven = { reason: CancellationReason; comment: string };
