import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (number: string | null) => `Receipt ${number ?? ""}`.trim(),
  footer: (seller: string[], support: string) => [...seller, support].join(" · "),
  refunds: "Refunds",
  refunded: "Refunded on",
  friendRefunded: "Friend discount refunded on",
  returns: "Returned payment",
  returned: "Returned by your bank on",
  retained: "Payment after refunds",
  print: "Print",
  download: "Download invoice",
  toPrint: "To keep a copy, print this page or save it as a PDF in your browser.",
  noInvoice: {
    title: "Stripe's invoice can't be opened right now",
    text: "Stripe isn't responding. This is our receipt for the same payment.",
    again: "Try again",
  },
  back: "Back to the order",
};

export const orderReceiptMessages: Messages<typeof en> = { en };
