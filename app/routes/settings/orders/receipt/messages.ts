import type { Messages } from "#app/core/messages.ts";

const en = {
  /** Shown in the browser's tab, and the name of a printed file. */
  title: (number: string | null) => `Receipt ${number ?? ""}`.trim(),
  heading: "Receipt",
  number: "Number",
  paidOn: "Paid on",
  /** For an order without a payment. */
  date: "Date",
  paid: "Paid",
  questions: "Questions?",
  refunds: "Refunds",
  refunded: "Refunded on",
  friendRefunded: "Friend discount refunded on",
  returns: "Returned payment",
  returned: "Returned by your bank on",
  retained: "Paid after refund",
  /** After the bank returned a payment. */
  retainedAfterReturn: "Paid after return",
  print: "Print",
  download: "Download invoice",
  toPrint: "To keep a copy, print this page or save it as a PDF in your browser.",
  noInvoice: {
    title: "Stripe's invoice can't be opened right now",
    text: "Stripe isn't responding. This is our receipt for the same payment.",
    again: "Try again",
  },
};

export const orderReceiptMessages: Messages<typeof en> = { en };
