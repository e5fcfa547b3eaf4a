import { formatSpan } from "#app/core/time/time.ts";
import { deferralMs } from "#app/modules/billing/subscriptions/change.rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { OfferRefusal } from "./messages.ts";

/** Why a plan can't be had. Chosen on the server, so that the browser loads none of them. */
const en = {
  refusals: {
    "account-closed": "Your account is closed. Restore it first, then you can choose a plan.",
    "plan-unknown": "That plan no longer exists. Choose one of these.",
    "plan-retired": "That plan is no longer sold. Choose one of these.",
    "interval-not-sold": "That plan isn't sold for this billing period. Choose the other period, or another plan.",
    "plan-is-free": "That plan is free. To go back to it, cancel your plan on the plan page.",
    "plan-behind-gate": "This plan has a waitlist. Join it and we'll email you when it's your turn.",
    "not-on-sale": "Paid plans aren't available yet.",
    "price-differs":
      "This plan isn't on sale right now, because its price is being updated. Nothing was charged. Try again later; your choice is kept.",
    "quote-moved": "That price has changed or expired. Here's the current one; nothing was charged.",
    "same-plan": "You're already on that plan.",
    "plan-ends": "You've cancelled your plan. Keep it first, then you can change to another one.",
    "plan-withdrawn": "You've withdrawn from this plan, so it can't be changed. It ends when we refund you.",
    "cancelled-already": "Your plan is already cancelled. You can use it until it ends.",
    "not-cancelled": "Your plan isn't cancelled, so there's nothing to undo.",
    "nothing-planned": "There's no scheduled change to cancel.",
    "change-begins": `Your scheduled change starts in less than ${formatSpan(deferralMs)}. Undo it on the plan page to change plans.`,
    "payment-due": "Once your latest renewal is paid, you can change to another paid plan.",
    "plan-paused": "Your plan is paused. Go to the plan page to continue it.",
    "plan-disputed":
      "A payment for your plan is disputed, and your bank hasn't decided yet. You can choose another plan once it has.",
    "charges-on-hold":
      "We've paused payments for your plan, so you can't change to another paid plan here. Contact us if you'd like to.",
    "no-plan": "You don't have an active plan. Choose one of these.",
    "subscribed-already": "You already have an active plan.",
    "payment-in-process": "Another payment is already being processed. Wait until it's finished.",
    "payment-unconfirmed": "Your last payment is being confirmed: we're waiting for Stripe. Please don't pay again.",
    "provider-unreachable":
      "Stripe isn't responding at the moment. Nothing was charged. Try again in a minute; you won't pay twice.",
    "provider-refused": "Stripe didn't accept this. Nothing was charged. If it happens again, contact us.",
    "email-refused":
      "Stripe doesn't accept your email address. Nothing was charged. Change your address, then choose the plan again.",
    "amount-too-small":
      "The amount left to pay is below Stripe's minimum. Nothing was charged. Choose the other billing period or another plan.",
  } satisfies Record<Exclude<OfferRefusal["reason"], "too-many-requests">, string>,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing was charged. Try again in ${wait}.`,
};

export const offerRefusalMessages: Messages<typeof en> = { en };
