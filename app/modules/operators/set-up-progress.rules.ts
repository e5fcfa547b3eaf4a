/**
 * Decides how far a new site is from its first payment. Invariants: a later fact proves the earlier steps, since a paid order needed Stripe,
 * prices and a sign-up; nothing of a customer is shown but an order's number. Called from `reads/read-set-up-progress`.
 */
import type { StripeMode } from "./health.rules.ts";

/** In the order in which a person takes them. */
const setUpStepNames = ["stripe", "prices", "sign-up", "email", "payment", "webhook"] as const;
export type SetUpStepName = (typeof setUpStepNames)[number];

/** `problem`: tried, and it didn't work. */
export type StepState = "done" | "to-do" | "problem";

export type SetUpFacts = {
  stripe: StripeMode;
  /** Whether Stripe answered, and has every price of the config. */
  hasPrices: boolean;
  isEmailSent: boolean;
  /** Whether an email waits or failed because its service refused it. */
  isEmailRefused: boolean;
  hasSignedUp: boolean;
  order: { number: string | null } | null;
  hasDelivered: boolean;
};

/** `isComplete` is true once the payment has arrived and Stripe's events do. */
export function describeSetUpProgress(facts: SetUpFacts) {
  const { stripe, order } = facts;
  const isPaid = order !== null;
  const states: Record<SetUpStepName, StepState> = {
    stripe: stripe === "off" ? "to-do" : "done",
    prices: isPaid || facts.hasPrices ? "done" : stripe === "off" ? "to-do" : "problem",
    "sign-up": isPaid || facts.hasSignedUp ? "done" : "to-do",
    email: isPaid || facts.isEmailSent ? "done" : facts.isEmailRefused ? "problem" : "to-do",
    payment: isPaid ? "done" : "to-do",
    // If no event of its own reported the payment, it was found in Stripe's list.
    webhook: facts.hasDelivered ? "done" : isPaid ? "problem" : "to-do",
  };
  return {
    steps: setUpStepNames.map((name) => ({ name, state: states[name] })),
    stripe,
    orderNumber: order?.number ?? null,
    isComplete: isPaid && facts.hasDelivered,
  };
}

export type SetUpProgress = ReturnType<typeof describeSetUpProgress>;
