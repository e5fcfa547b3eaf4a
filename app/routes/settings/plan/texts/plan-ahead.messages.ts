import type { Messages } from "#app/core/messages.ts";

/** The server chooses these, so that browsers don't load what most plans don't need. */
const en = {
  ended: {
    other: (plan: string, day: string) => `${plan} ended on ${day}.`,
    unpaid: (plan: string, day: string) =>
      `${plan} ended on ${day} because your payment failed. You don't owe anything for it.`,
    duplicate: (plan: string, day: string) => `${plan} ended on ${day} because a newer plan took its place.`,
    refunded: (plan: string, day: string) => `${plan} ended on ${day} because we refunded your payment.`,
    withdrawn: (plan: string, day: string) => `${plan} ended on ${day} because you withdrew from the contract.`,
    returned: (plan: string, day: string) => `${plan} ended on ${day} because your bank returned the payment.`,
  },
  lost: {
    title: "Your plan ended because your payment failed",
    unusedReturned: "What you hadn't used of it went back to you.",
    payAndContinue: (plan: string) => `Pay and continue with ${plan}`,
  },
  /** What the free plan that follows has, as its card says. */
  includes: (plan: string, points: readonly string[]) => `${plan} includes: ${points.join(" · ")}.`,
  /** What is used beyond a plan. */
  excess: (plan: string, { label, used, limit }: { label: string; used: string; limit: string }) =>
    `${label}: ${used} now, ${limit} at most on ${plan}.`,
  pending: {
    title: (plan: string, day: string) => `${plan} from ${day}`,
    titleInterval: {
      month: (day: string) => `Monthly billing from ${day}`,
      year: (day: string) => `Yearly billing from ${day}`,
    },
    text: (now: string, price: string) => `You stay on ${now} until then. After that, you pay ${price}.`,
    textInterval: {
      month: (price: string) => `You've paid for the year until then. After that, you pay ${price}.`,
      year: (price: string) => `You've paid for the month until then. After that, you pay ${price}.`,
    },
    /** `change` is another plan that was chosen and isn't paid. */
    aside: (change: string, price: string) =>
      `This change stays scheduled, for ${price}, unless you pay for your change to ${change}.`,
  },
};

export const planAheadMessages: Messages<typeof en> = { en };
