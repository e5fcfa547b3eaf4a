/**
 * Decides the next step of a referral from the friend's payments. Invariants: a payment counts as long as it isn't returned by a refund
 * or lost dispute; nothing is given during a dispute or an unanswered withdrawal. Called from `advanceReferral`.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { ReferralState, VoidReason } from "./rules.ts";

export type ReferredPayment = {
  amountMinor: number;
  refundedMinor: number;
  dispute: string;
  /** A withdrawal from its contract was declared and isn't answered. */
  isWithdrawn: boolean;
  /** The start of its holding period: its own payment, or the last one of its contract with a right of withdrawal. */
  heldFrom: number;
};

/**
 * Days from the end of the withdrawal period until the refund is due: fourteen (Directive 2011/83/EU, article 13), one since the day of
 * the contract isn't counted, one for a declaration in the last minute of a calendar day, and one since that day may end later where the
 * customer is.
 */
export const refundHandlingDays = 17;

/** The holding period: the config's, but at least as long as a withdrawal and its refund may take. */
export function rewardHoldDays({
  referral,
  withdrawalDays,
}: Pick<ProductConfig, "referral" | "withdrawalDays">): number {
  return withdrawalDays === "off"
    ? referral.holdDays
    : Math.max(referral.holdDays, withdrawalDays + refundHandlingDays);
}

/**
 * With `isByContract`, withdrawing from a later order of the contract undoes the whole, so the holding period starts with the last of them.
 */
export type Hold = { days: number; isByContract: boolean };

export function holdOf(product: Pick<ProductConfig, "referral" | "withdrawalDays">): Hold {
  return { days: rewardHoldDays(product), isByContract: product.withdrawalDays !== "off" };
}

/**
 * `at` is the start of the holding period of the payment that made the sum sufficient. `sureAt` is the same, counting only payments without
 * a dispute or withdrawal, and null if these aren't sufficient.
 */
type RetainedSum =
  | { isEnough: false; why: "refund" | "dispute" }
  | { isEnough: true; at: number; sureAt: number | null };

export function sumRetained(payments: ReferredPayment[], qualifyingMinor: number): RetainedSum {
  const at = enoughFrom(payments, qualifyingMinor);
  if (at === null) return { isEnough: false, why: payments.some(isLost) ? "dispute" : "refund" };
  const sure = payments.filter(({ dispute, isWithdrawn }) => !isWithdrawn && (dispute === "none" || dispute === "won"));
  return { isEnough: true, at, sureAt: enoughFrom(sure, qualifyingMinor) };
}

function enoughFrom(payments: ReferredPayment[], qualifyingMinor: number): number | null {
  let sum = 0;
  const inOrder = payments.toSorted((left, right) => left.heldFrom - right.heldFrom);
  return inOrder.find((payment) => (sum += retainedOf(payment)) >= qualifyingMinor)?.heldFrom ?? null;
}

function retainedOf(payment: ReferredPayment): number {
  return isLost(payment) ? 0 : Math.max(0, payment.amountMinor - payment.refundedMinor);
}

/** However much the bank took of it. */
function isLost({ dispute }: ReferredPayment): boolean {
  return dispute === "lost";
}

export type RewardStep =
  | { kind: "release" }
  | { kind: "rest" }
  | { kind: "qualify" }
  | { kind: "check-cards"; waitsUntil: number }
  | { kind: "postpone"; waitsUntil: number }
  | { kind: "approve" }
  | { kind: "void"; why: VoidReason };

/**
 * The next step of a referral, if there is one. While the friend's discount is under review it is undecided whether they are a new
 * customer, so there is no reward either.
 */
export function nextStep(
  {
    state,
    waitsUntil,
    isUnderReview = false,
  }: { state: ReferralState; waitsUntil: number | null; isUnderReview?: boolean },
  retained: RetainedSum,
  holdDays: number,
  now: number,
): RewardStep | null {
  switch (state) {
    case "under-review":
      return (waitsUntil ?? 0) <= now ? { kind: "release" } : null;
    case "signed-up":
      if (retained.isEnough) return { kind: "qualify" };
      // Due for the cron job, but there is nothing to do.
      return waitsUntil !== null && waitsUntil <= now ? { kind: "rest" } : null;
    case "qualified":
      return retained.isEnough
        ? { kind: "check-cards", waitsUntil: retained.at + holdDays * dayMs }
        : voidFor(retained.why);
    case "waiting": {
      if (!retained.isEnough) return voidFor(retained.why);
      const until = retained.at + holdDays * dayMs;
      if (until !== waitsUntil) return { kind: "postpone", waitsUntil: until };
      const isSure = retained.sureAt !== null && retained.sureAt + holdDays * dayMs <= now;
      return until <= now && isSure && !isUnderReview ? { kind: "approve" } : null;
    }
    case "approved":
      return retained.isEnough ? null : voidFor(retained.why);
    case "void":
      return null;
  }
}

function voidFor(why: VoidReason): RewardStep {
  return { kind: "void", why };
}

/** The window of `rewardsPerYear`. */
export const rewardWindowMs = 365 * dayMs;

/** The start of the window whose rewards count towards the limit. */
export function yearBefore(now: number): number {
  return now - rewardWindowMs;
}

/** When the oldest of a year's rewards leaves the window. */
export function rewardAgainAt(oldestAt: number): number {
  return oldestAt + rewardWindowMs;
}
