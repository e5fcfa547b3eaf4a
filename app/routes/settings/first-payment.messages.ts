import type { Messages } from "#app/core/messages.ts";

/** For a first payment that hasn't arrived. The server chooses the text, so that browsers don't load what most plans don't need. */
const en = {
  starting: {
    title: (plan: string, amount: string) => `${plan} starts when your payment of ${amount} arrives`,
    text: "Your bank is processing it. You don't have to do anything.",
    link: "See this payment",
  },
  unfinished: {
    title: (plan: string) => `Your payment for ${plan} isn't finished`,
    text: (plan: string) => `${plan} starts once you've paid.`,
    link: "Continue to payment",
  },
  confirming: {
    title: (plan: string) => `Confirm your payment for ${plan}`,
    text: "Your bank needs you to confirm this payment.",
    link: "Confirm payment",
  },
  declined: {
    title: (plan: string) => `Your payment for ${plan} failed`,
    text: (reason: string) => `You haven't been charged. ${reason}`,
    link: "Try again",
  },
  giveUp: "Cancel this order",
};

export const firstPaymentMessages: Messages<typeof en> = { en };
