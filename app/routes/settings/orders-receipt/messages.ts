import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (number: string | null) => `Receipt ${number ?? ""}`.trim(),
  number: "Number",
  date: "Paid on",
  what: "For",
  refunds: "Refunds",
  refunded: "Refunded on",
  friendRefunded: "Friend discount refunded on",
  returns: "Returned payment",
  returned: "Returned by your bank on",
  kept: "Left of the payment",
  print: "Print",
  toPrint: "To keep it, print this page with your browser, on paper or into a file.",
  noInvoice: {
    title: "Stripe's invoice can't be opened right now",
    text: "Stripe doesn't answer. This is our receipt of the same payment.",
    again: "Try again",
  },
  back: "Back to the order",
};

export const orderReceiptMessages: Messages<typeof en> = { en };
