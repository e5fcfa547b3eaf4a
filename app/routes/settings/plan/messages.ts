import type { RetryRefusal } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import type { RunSubscriptionActionRefusal } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import type { ReasonRefusal } from "#app/modules/billing/subscriptions/commands/answer-cancellation-reason.server.ts";
import type { SubscriptionState } from "#app/modules/billing/subscriptions/rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Plan",
  lead: (plan: string) => `You're on ${plan}.`,
  leadNoPlan: "You have no plan.",
  /** No paid plan is active, and the product has no free plan. */
  noPlan: {
    title: "No plan",
    text: (product: string) => `You need a plan to use ${product}.`,
    textAfter: (product: string) => `You need a plan to use ${product}. You can choose one again at any time.`,
    choose: "Choose a plan",
  },
  free: {
    title: (plan: string) => `${plan} – nothing to pay`,
    upgrade: "See plans",
    again: (plan: string) => `Start ${plan} again`,
  },
  per: { month: "per month", year: "per year" },
  next: "Next payment",
  nextText: (amount: string, day: string) => `${amount} on ${day}`,
  nextToday: (amount: string) => `${amount} today`,
  onHold: "None: we've paused your payments",
  moneyBack: "Right to withdraw",
  moneyBackText: (day: string) => `Until ${day}, with your money back`,
  credit: "Your credit",
  creditText: (credit: string) => `${credit}, taken off your next payment`,
  carried: "Carried over",
  carriedText: (amount: string) => `${amount} from an earlier bill, added to your next payment`,
  seePlan: "See your plan",
  payment: "Payment method",
  cardText: (card: string, expires: string) => `${card}, valid until ${expires}`,
  cardSoon: "Expires soon",
  cardExpired: "Expired",
  noCard: "Saved with Stripe",
  noWayToPay: "None",
  states: {
    active: "Active",
    "past-due-grace": "Payment failed",
    "past-due-locked": "Locked until you pay",
    incomplete: "Waiting for payment",
    unpaid: "Locked until you pay",
    paused: "Paused",
    ended: "Ended",
  } satisfies Record<SubscriptionState, string>,
  toConfirm: "Payment to confirm",
  withdrawal: {
    status: "Withdrawal in progress",
    title: "We've received your withdrawal",
    text: "Your plan ends when we refund you.",
    link: "See the order",
  },
  endsSoon: (day: string) => `Ends ${day}`,
  changesSoon: (day: string) => `Changes ${day}`,
  change: "Change plan",
  updateCard: "Change card",
  updateMethod: "Change payment method",
  addCard: "Add card",
  updatingCard: "One moment",
  portalAwaited: "Stripe hasn't confirmed your changes yet. Until it does, this page shows your previous card.",
  undoing: "Undoing",
  giveUpPending: "Cancelling",
  retired: "No longer sold",
  why: "Tell us why you cancelled",
  /** After the plan ended, whether or not its owner cancelled it. */
  whyLeft: "Tell us why you left",
  trouble: "That didn't work",
};

export type PlanTexts = typeof en;
export const planMessages: Messages<PlanTexts> = { en };

export type PlanRefusal = RunSubscriptionActionRefusal | RetryRefusal | ReasonRefusal;
