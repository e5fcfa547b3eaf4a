import type { Interval } from "#app/core/time/interval.ts";
import type { Explanation } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** Why an order's amount is what it is. The server chooses the sentences. */
const en = {
  lateStart: (ordered: string, arrived: string) =>
    `Your first period counts from ${ordered}, when you ordered. Your plan started on ${arrived}, when your payment arrived.`,
  because: (why: Explanation, plan: string, interval: Interval): string =>
    ({
      "first-period": `The price of ${plan} for the first ${interval}.`,
      "next-period": `The price of ${plan} for another ${interval}.`,
      "change-now": `You changed to ${plan} partway through a period. You pay its price for the rest of the period, minus the unused time on your old plan.`,
      "change-period": `You changed to ${plan}, billed ${interval === "year" ? "yearly" : "monthly"}. You pay for a full ${interval}, minus the unused time of the period you'd already paid for.`,
      "change-whole": `You changed to ${plan}, which started a new ${interval}.`,
      discount: "A discount was taken off.",
      credit: "Your credit covered part of it.",
      credited: "The difference is added to your credit.",
      "carried-from": "It includes an earlier amount that was too small to charge on its own.",
      "carried-to": "It's too small to charge on its own, so it's added to your next payment.",
      "credit-all": "Your credit covered it in full.",
      "nothing-charged": "There was nothing left to pay.",
    })[why],
};

export const explanationMessages: Messages<typeof en> = { en };
