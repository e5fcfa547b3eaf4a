import type { PauseCause } from "#app/core/stripe/states.ts";
import type { Messages } from "#app/core/messages.ts";
import { formatSpan } from "#app/core/time/time.ts";
import { manualRetriesPerDayMax, retryWindowMs } from "#app/modules/billing/sync/retries.rules.ts";

/** What some plans need: a paused one, one that isn't sold any more, a card that expires, too many attempts to pay. */
const en = {
  paused: {
    title: (plan: string) => `${plan} is paused`,
    causes: {
      "trial-ended": "Your trial has ended and there's no card on file.",
      requested: "We've paused your plan.",
      "first-payment-failed": "A payment for it failed. You don't owe anything for it any more.",
      "final-payment-failed": "A payment for it failed. You don't owe anything for it any more.",
      disputed: "You've disputed a payment for it with your bank. It continues if your bank decides for us.",
      system: "Stripe, which handles our payments, has paused it.",
    } satisfies Record<PauseCause, string>,
    meanwhile: (lockedMeans: string) => `You aren't being charged, and your plan is locked. ${lockedMeans}`,
    ask: (support: string) => `To continue it, email ${support}.`,
    continueText: (plan: string) =>
      `${plan} starts again as soon as you've paid. Adding a card alone doesn't restart it or charge anything.`,
    continueWith: (plan: string, price: string, per: string) => `Continue with ${plan} for ${price} ${per}`,
  },
  retired: {
    text: "You keep it until you cancel it or change to another plan. You can't buy it again after that.",
    textEnding: "To stay on it, keep your plan before it ends. You can't buy it again after that.",
  },
  openChange: {
    title: (plan: string) => `Your change to ${plan} isn't paid for`,
    processing: (plan: string) => `Your payment for ${plan} is being processed`,
    text: (plan: string) => `You stay on ${plan}, and nothing was charged.`,
    link: "See this payment",
    giveUp: "Cancel change",
    pending: "Cancelling",
  },
  expiring: {
    title: "Your card expires before the next payment",
    text: (card: string, month: string, amount: string, day: string) =>
      `${card} is valid until ${month}, and ${amount} is due on ${day}.`,
  },
  "too-many-retries": (wait: string) =>
    `You've tried to pay ${manualRetriesPerDayMax} times within ${formatSpan(retryWindowMs)}. You can try again in ${wait}. If you change the card, we'll charge the new one immediately.`,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing has changed. Try again in ${wait}.`,
};

export const planNoticesMessages: Messages<typeof en> = { en };
