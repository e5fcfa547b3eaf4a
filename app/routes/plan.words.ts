import { never } from "#app/domain/kernel/result.ts";
import type { RetryRefusal } from "#app/domain/orders/retry-payment.server.ts";
import type { ProviderTrouble } from "#app/domain/plans/change-cancellation.server.ts";
import type { PlanMoveRefusal, SubscriptionState } from "#app/domain/plans/rules.ts";
import type { Words } from "#app/ui/language.ts";

const en = {
  title: "Plan",
  lead: (plan: string) => `You are on ${plan}.`,
  free: {
    title: (plan: string) => `${plan}, nothing to pay`,
    text: "It has no end. When you need more room, choose another plan; you can come back any day.",
    upgrade: "See the plans",
  },
  card: "Your plan",
  plan: "Plan",
  price: "Price",
  state: "State",
  per: { month: "a month", year: "a year" },
  next: "Next charge",
  on: " on ",
  ends: "Ends",
  since: "Since",
  payment: "Paid by",
  cardText: (brand: string, last4: string, expires: string) => `${brand} ending in ${last4}, valid until ${expires}`,
  noCard: "kept with Stripe",
  states: {
    active: "running",
    "past-due-grace": "payment failed, access goes on for now",
    "past-due-locked": "locked until the payment is made",
    incomplete: "waiting for the payment",
    unpaid: "locked until the payment is made",
    paused: "paused",
    ended: "ended",
  } satisfies Record<SubscriptionState, string>,
  endsSoon: "ends with its period",
  cancel: { title: "End your plan", button: "End it with the period", pending: "Ending" },
  cancelText: "You keep everything until then, and pay nothing more. You can take it back until that day.",
  resume: { title: "It ends with its period", button: "Let it go on", pending: "Taking it back" },
  updateCard: "Change card or billing details",
  orders: { title: "Charges", text: "Every charge with its receipt stands under Orders.", link: "See the orders" },
  trouble: "That did not go through",
  refusals: {
    "no-plan": "You have no running plan.",
    "cancelled-already": "Your plan ends with its period already.",
    "not-cancelled": "Your plan goes on already.",
    "nothing-planned": "Nothing is going to change any more.",
    "nothing-due": "There is nothing to pay.",
    "not-on-sale": "Paid plans are not on sale yet.",
    "provider-unreachable":
      "The payment service does not answer at the moment. Nothing has changed. Try again in a minute.",
    "provider-refused":
      "The payment service did not accept this. Nothing has changed. If it happens again, write to us.",
  },
  problems: { "intent-unknown": "This button does not exist any more. Load the page again." },
};

export type PlanTexts = typeof en;
export const planWords: Words<PlanTexts> = { en };

export function sayPlanRefusal(words: PlanTexts, refusal: PlanMoveRefusal | RetryRefusal | ProviderTrouble): string {
  switch (refusal.reason) {
    case "no-plan":
    case "cancelled-already":
    case "not-cancelled":
    case "nothing-planned":
    case "nothing-due":
    case "not-on-sale":
    case "provider-unreachable":
    case "provider-refused":
      return words.refusals[refusal.reason];
    default:
      return never(refusal);
  }
}
