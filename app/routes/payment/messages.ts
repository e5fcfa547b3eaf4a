import type { Dispute, OrderKind, PaymentStatus } from "#app/modules/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** `open`: nothing has been tried so far, or the attempt's state is unknown. */
type Page = PaymentStatus | "open";
/** `past`: paid, but no longer recent; later events aren't shown on this page. */
/** `unconfirmed`: Stripe could not be asked for the result. */
/** `returned`: a dispute was lost, and the money was returned to the customer. */
export type PaymentPage = Page | "past" | "returned" | "mismatch" | "unconfirmed";
type Heading = { title: string; lead: (what: string) => string };

const startPages: Record<Page, Heading> = {
  success: { title: "Thank you, it is paid", lead: (what) => `${what} is yours from now on.` },
  processing: { title: "Your bank is working on it", lead: (what) => `${what} starts when the money is here.` },
  action: { title: "Your bank wants a confirmation", lead: (what) => `${what} starts once you have confirmed.` },
  failed: { title: "The payment did not go through", lead: (what) => `Nothing was charged for ${what}.` },
  cancelled: { title: "Nothing was charged", lead: (what) => `You left the payment page for ${what} before paying.` },
  open: { title: "Nothing was charged", lead: (what) => `You left the payment page for ${what} before paying.` },
  expired: { title: "The payment page ran out", lead: (what) => `Nothing was charged for ${what}.` },
};

const renewalPages: Record<Page, Heading> = {
  success: { title: "Thank you, it is paid", lead: (what) => `${what} goes on.` },
  processing: { title: "Your bank is working on it", lead: (what) => `${what} is paid for when the money is here.` },
  action: { title: "Your bank wants a confirmation", lead: (what) => `${what} is paid for once you have confirmed.` },
  failed: {
    title: "The payment did not go through",
    lead: (what) => `Nothing was charged for the renewal of ${what}.`,
  },
  cancelled: { title: "Nothing was charged", lead: (what) => `This renewal of ${what} is not collected any more.` },
  open: { title: "Nothing has been charged so far", lead: (what) => `This renewal of ${what} is still to be paid.` },
  expired: { title: "Nothing was charged", lead: (what) => `This renewal of ${what} is not collected any more.` },
};

const staysSo = "your plan goes on as it is";
const changePages: Record<Page, Heading> = {
  success: { title: "Your plan is changed", lead: (what) => `You are on ${what} now.` },
  processing: {
    title: "Your bank is working on it",
    lead: (what) => `${what} begins when the money is here. Until then ${staysSo}.`,
  },
  action: {
    title: "Your bank wants a confirmation",
    lead: (what) => `${what} begins once you have confirmed. Until then ${staysSo}.`,
  },
  failed: {
    title: "The change did not go through",
    lead: (what) => `Nothing was charged for ${what}, and ${staysSo}.`,
  },
  cancelled: { title: "Nothing was charged", lead: (what) => `The change to ${what} was given up, and ${staysSo}.` },
  open: {
    title: "Nothing has been charged so far",
    lead: (what) => `The change to ${what} is not paid yet, and ${staysSo}.`,
  },
  expired: { title: "Nothing was charged", lead: (what) => `The change to ${what} ran out, and ${staysSo}.` },
};

const en = {
  pages: { "new-plan": startPages, renewal: renewalPages, change: changePages } satisfies Record<
    OrderKind,
    Record<Page, Heading>
  >,
  mismatch: {
    title: "This payment is being looked at",
    lead: "Another amount arrived than was asked for. Don't pay again; we are looking into it.",
    text: "If you don't hear from us within a day, write to us:",
  },
  unconfirmed: {
    title: "Your payment is being confirmed",
    lead: (what: string) =>
      `We're waiting for Stripe to tell us about your payment for ${what}. Please don't pay again.`,
    text: "Stripe doesn't answer at the moment. If you paid, your payment is safe, and we'll email your receipt.",
    often:
      "You've opened this page many times, so it hasn't asked Stripe again. If you paid, your payment is safe, and we'll email your receipt.",
  },
  returned: {
    title: "Your bank returned this payment to you",
    lead: (what: string) => `It was for ${what}. The plan that it paid for has ended.`,
  },
  past: { title: "This was paid", lead: (what: string) => `It paid for ${what}.` },
  leaving: {
    lead: "Your account is closed, and your plan has ended with that: nothing begins or goes on.",
    account: "See your account",
  },
  refunded: {
    all: "All of it has been refunded since.",
    part: (amount: string) => `${amount} of it has been refunded since.`,
  },
  disputes: {
    none: null,
    "needs-response": "Your bank has asked about this payment on your behalf. Your plan goes on meanwhile.",
    "under-review": "Your bank has asked about this payment, and is deciding. Your plan goes on meanwhile.",
    won: "Your bank had asked about this payment, and has decided that it stands.",
    lost: null,
  } satisfies Record<Dispute, string | null>,
  number: "Order",
  amount: "Amount",
  friendRefunded: "Friend discount refunded",
  plan: "Plan",
  planText: {
    month: (plan: string) => `${plan}, paid by the month`,
    year: (plan: string) => `${plan}, paid by the year`,
  },
  since: "Since",
  success: {
    next: (product: string) => `Next: get ${product} onto your device.`,
    start: (product: string) => `Get ${product}`,
    receipt: "See the order and its receipt",
    order: "See the order",
    plan: "See your plan",
  },
  processing: {
    text: "This way of paying takes a few days. There is nothing more to do, and please don't pay again: we write as soon as the money is here.",
    refresh: "This page checks again by itself.",
    orders: "See your orders",
  },
  action: {
    text: "Go back to the payment page and finish what your bank asks for.",
    button: "Go on to the payment page",
    invoice: "Stripe asks for it on a page of its own. This one checks again by itself, and says when it is done.",
    invoiceButton: "Confirm on a page of its own",
  },
  again: { same: "Try again", choose: "Choose another plan", cancelled: "Go on to the payment" },
  pay: {
    now: (amount: string, card: string | null) => (card ? `Pay ${amount} with ${card}` : `Pay ${amount} now`),
    pending: "Asking your bank",
    card: "Change card",
    toCard: "One moment",
    next: (day: string) => `We try again by ourselves on ${day}.`,
    giveUp: "Give the change up",
  },
  unreachable:
    "The payment service does not answer at the moment, so this is what we knew last. It comes right by itself.",
  often: "You've opened this page many times, so it hasn't asked Stripe again. This is the last state we know.",
  looksIn: (wait: string) => `It checks again in ${wait}.`,
  unknown: {
    title: "We don't find this payment",
    lead: "It may be older than a day, or belong to another account. If it went through, your receipt is in the mail. Don't pay again.",
  },
  signedOut: {
    title: "Sign in to see this payment",
    lead: "If it went through, a receipt is on its way; do not pay again.",
    button: "Sign in",
    orders: "See your orders",
  },
};

export type PaymentTexts = typeof en;
export const paymentMessages: Messages<PaymentTexts> = { en };

/** The payment page's heading, by purpose and result. */
export function headPayment(
  messages: PaymentTexts,
  { kind, page, what, isLeaving }: { kind: OrderKind; page: PaymentPage; what: string; isLeaving: boolean },
): { title: string; lead: string } {
  if (page === "mismatch") return messages.mismatch;
  const { title, lead } = isOfItself(page) ? messages[page] : messages.pages[kind][page];
  return { title, lead: isLeaving ? messages.leaving.lead : lead(what) };
}

/** The same text whatever the payment was for. */
function isOfItself(page: Exclude<PaymentPage, "mismatch">): page is "past" | "returned" | "unconfirmed" {
  return page === "past" || page === "returned" || page === "unconfirmed";
}
