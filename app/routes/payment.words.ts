import type { FailureClass } from "#app/domain/orders/judge-order.rules.ts";
import type { PaymentStatus } from "#app/domain/orders/rules.ts";
import type { Words } from "#app/ui/language.ts";

const en = {
  pages: {
    success: { title: "Thank you, it is paid", lead: (what: string) => `${what} is yours from now on.` },
    processing: {
      title: "Your bank is working on it",
      lead: (what: string) => `${what} starts when the money is here.`,
    },
    action: {
      title: "Your bank wants a confirmation",
      lead: (what: string) => `${what} starts once you have confirmed.`,
    },
    failed: { title: "The payment did not go through", lead: (what: string) => `Nothing was charged for ${what}.` },
    cancelled: {
      title: "Nothing was charged",
      lead: (what: string) => `You left the payment page for ${what} before paying.`,
    },
    expired: { title: "The payment page ran out", lead: (what: string) => `Nothing was charged for ${what}.` },
  } satisfies Record<PaymentStatus, { title: string; lead: (what: string) => string }>,
  refunded: "It has been refunded since.",
  number: "Order",
  amount: "Amount",
  state: "State",
  success: {
    next: (product: string) => `Next: get ${product} onto your laptop.`,
    start: (product: string) => `Get ${product}`,
    receipt: "See the order and its receipt",
  },
  processing: {
    text: "This way of paying takes a few days. There is nothing more to do, and please don't pay again: we write as soon as the money is here.",
    refresh: "This page looks again by itself.",
    orders: "See your orders",
  },
  action: {
    text: "Go back to the payment page and finish what your bank asks for.",
    button: "Go on to the payment page",
  },
  reasons: {
    declined: "Your bank declined the card. It doesn't tell us why; another card often works, or a call to the bank.",
    "no-funds": "The account behind the card did not have enough on it.",
    "card-details": "Number, date or check digits of the card were not right.",
    authentication: "The confirmation that your bank asks for was not completed.",
    other: "The payment service could not take the payment.",
  } satisfies Record<FailureClass, string>,
  again: { same: "Try again", choose: "Choose another plan", cancelled: "Go on to the payment" },
  unreachable:
    "The payment service does not answer at the moment, so this is what we knew last. It comes right by itself.",
  signedOut: {
    title: "Sign in to see this payment",
    lead: "If it went through, a receipt is on its way; do not pay again.",
    button: "Sign in",
    orders: "See your orders",
  },
  per: { month: "a month", year: "a year" },
};

export const paymentWords: Words<typeof en> = { en };
