/**
 * What a friend's payments make of a referral. Money counts as long as it was kept: what went back by a refund or a lost dispute never
 * came. While a bank is still deciding, or a withdrawal isn't answered, nothing is given for it.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { ReferralState, VoidReason } from "./rules.ts";

export type Payment = {
  amountMinor: number;
  refundedMinor: number;
  dispute: string;
  /** A withdrawal from its contract was declared, and nobody has answered it so far. */
  isWithdrawn: boolean;
  /** From when the days of the hold count for it: its own payment, or the last one of its contract that can be withdrawn from. */
  heldFrom: number;
};

/**
 * Days from the end of the withdrawal period until the refund has to be done: fourteen (Directive 2011/83/EU, article 13), one since the
 * day of the contract isn't counted, one for a declaration in the last minute of the seller's calendar day.
 */
export const refundHandlingDays = 16;

/** How long money has to be kept: what the config says, and never less than a withdrawal and its refund may take. */
export function rewardHoldDays({
  referral,
  withdrawalDays,
}: Pick<ProductConfig, "referral" | "withdrawalDays">): number {
  return withdrawalDays === "off"
    ? referral.holdDays
    : Math.max(referral.holdDays, withdrawalDays + refundHandlingDays);
}

/** `isByContract`: a withdrawal from a later order of the same contract undoes the whole, so that the days count from the last of them. */
export type Hold = { days: number; isByContract: boolean };

export function holdOf(product: Pick<ProductConfig, "referral" | "withdrawalDays">): Hold {
  return { days: rewardHoldDays(product), isByContract: product.withdrawalDays !== "off" };
}

/**
 * `at`: from when the days count for the payment by which what was kept became enough. `sureAt`: the same, of the payments alone for which
 * neither a bank nor the friend is asking back; null: these aren't enough.
 */
export type Kept =
  | { isEnough: false; why: "refund" | "dispute" }
  | { isEnough: true; at: number; sureAt: number | null };

export function judgePayments(payments: Payment[], qualifyingMinor: number): Kept {
  const at = enoughFrom(payments, qualifyingMinor);
  if (at === null) return { isEnough: false, why: payments.some(isLost) ? "dispute" : "refund" };
  const sure = payments.filter(({ dispute, isWithdrawn }) => !isWithdrawn && (dispute === "none" || dispute === "won"));
  return { isEnough: true, at, sureAt: enoughFrom(sure, qualifyingMinor) };
}

function enoughFrom(payments: Payment[], qualifyingMinor: number): number | null {
  let sum = 0;
  const inOrder = payments.toSorted((left, right) => left.heldFrom - right.heldFrom);
  return inOrder.find((payment) => (sum += keptOf(payment)) >= qualifyingMinor)?.heldFrom ?? null;
}

function keptOf(payment: Payment): number {
  return isLost(payment) ? 0 : Math.max(0, payment.amountMinor - payment.refundedMinor);
}

function isLost({ dispute }: Payment): boolean {
  return dispute === "lost";
}

export type Step =
  | { kind: "release" }
  | { kind: "rest" }
  | { kind: "qualify" }
  | { kind: "judge-cards"; waitsUntil: number }
  | { kind: "postpone"; waitsUntil: number }
  | { kind: "approve" }
  | { kind: "void"; why: VoidReason };

/**
 * What is next for a referral, by the friend's money and the time; null: nothing. While the friend's discount is under review nobody knows
 * whether they are a new customer: no reward either.
 */
export function nextStep(
  { state, waitsUntil, isReviewed = false }: { state: ReferralState; waitsUntil: number | null; isReviewed?: boolean },
  kept: Kept,
  holdDays: number,
  now: number,
): Step | null {
  switch (state) {
    case "under-review":
      return (waitsUntil ?? 0) <= now ? { kind: "release" } : null;
    case "signed-up":
      if (kept.isEnough) return { kind: "qualify" };
      // It was marked for the clock, and there is nothing to be done.
      return waitsUntil !== null && waitsUntil <= now ? { kind: "rest" } : null;
    case "qualified":
      return kept.isEnough ? { kind: "judge-cards", waitsUntil: kept.at + holdDays * dayMs } : voidFor(kept.why);
    case "waiting": {
      if (!kept.isEnough) return voidFor(kept.why);
      const until = kept.at + holdDays * dayMs;
      if (until !== waitsUntil) return { kind: "postpone", waitsUntil: until };
      const isSure = kept.sureAt !== null && kept.sureAt + holdDays * dayMs <= now;
      return until <= now && isSure && !isReviewed ? { kind: "approve" } : null;
    }
    case "approved":
      return kept.isEnough ? null : voidFor(kept.why);
    case "void":
      return null;
  }
}

function voidFor(why: VoidReason): Step {
  return { kind: "void", why };
}

/** The window of `rewardsPerYear`. */
const yearMs = 365 * dayMs;

/** From when a reward counts against those of a year. */
export function yearBefore(now: number): number {
  return now - yearMs;
}

/** The oldest of a year's rewards makes room for another then. */
export function rewardAgainAt(oldestAt: number): number {
  return oldestAt + yearMs;
}
