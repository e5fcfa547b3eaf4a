import type { Messages } from "#app/core/messages.ts";

/** Why an immediate change is scheduled instead. Chosen on the server. */
const en = {
  "payment-method": {
    title: "This change starts with your next period",
    text: (day: string) =>
      `To change immediately, your plan must be paid by card or another instant method, such as Link or PayPal. Yours isn't, so the change starts on ${day}. Nothing is charged before then.`,
    card: "To change today, add a card first. You'll come back here to confirm.",
    button: "Add a card",
    pending: "Opening the card page",
  },
  "collection-method": {
    title: "This change starts with your next period",
    text: (day: string) => `You pay for your plan by invoice, so the change starts on ${day}.`,
  },
  "renewal-unpaid": {
    title: "This change starts with your next period",
    text: (day: string) =>
      `The payment for your current period hasn't arrived yet, so the change starts on ${day} and costs nothing before then. If you'd like to change sooner, come back once it has arrived.`,
  },
};

export const nextPeriodMessages: Messages<typeof en> = { en };
