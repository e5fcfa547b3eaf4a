import type { OrderKind } from "#app/modules/billing/orders/rules.ts";
import type { Dispute, PaymentStatus, FailureClass } from "#app/modules/billing/orders/states.rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** `open`: nothing has been tried so far, or the attempt's state is unknown. */
type Page = PaymentStatus | "open";
/** `past`: paid, but no longer recent; later events aren't shown on this page. */
/** `unconfirmed`: Stripe could not be asked for the result. */
/** `returned`: a dispute was lost, and the money was returned to the customer. */
export type PaymentPage = Page | "past" | "returned" | "mismatch" | "unconfirmed";
type Heading = { title: string; lead: (what: string) => string };

const startPages: Record<Page, Heading> = {
  success: { title: "Payment received", lead: (what) => `You're on ${what}.` },
  processing: { title: "Payment processing", lead: (what) => `${what} starts when your payment arrives.` },
  action: {
    title: "Confirm your payment",
    lead: (what) => `${what} starts once you've confirmed the payment with your bank.`,
  },
  failed: { title: "Payment failed", lead: (what) => `You haven't been charged for ${what}.` },
  cancelled: {
    title: "Payment cancelled",
    lead: (what) => `This payment for ${what} was cancelled, so you haven't been charged.`,
  },
  open: {
    title: "Payment not completed",
    lead: (what) => `You left the checkout for ${what} before paying, so you haven't been charged.`,
  },
  expired: { title: "The checkout expired", lead: (what) => `You haven't been charged for ${what}.` },
};

const renewalPages: Record<Page, Heading> = {
  success: { title: "Payment received", lead: (what) => `Your renewal of ${what} is paid.` },
  processing: { title: "Payment processing", lead: (what) => `We're waiting for your payment for ${what} to arrive.` },
  action: {
    title: "Confirm your payment",
    lead: (what) => `Your bank needs you to confirm the payment for ${what}.`,
  },
  failed: { title: "Payment failed", lead: (what) => `You haven't been charged for the renewal of ${what}.` },
  cancelled: { title: "Payment cancelled", lead: (what) => `You won't be charged for this renewal of ${what}.` },
  open: { title: "Payment due", lead: (what) => `This renewal of ${what} hasn't been paid yet.` },
  expired: { title: "Payment cancelled", lead: (what) => `You won't be charged for this renewal of ${what}.` },
};

const staysSo = "your plan stays the same";
const changePages: Record<Page, Heading> = {
  success: { title: "Plan changed", lead: (what) => `You're on ${what}.` },
  processing: {
    title: "Payment processing",
    lead: (what) => `You'll move to ${what} when your payment arrives. Until then, ${staysSo}.`,
  },
  action: {
    title: "Confirm your payment",
    lead: (what) => `You'll move to ${what} once you've confirmed the payment with your bank. Until then, ${staysSo}.`,
  },
  failed: {
    title: "Payment failed",
    lead: (what) => `You haven't been charged for ${what}, and ${staysSo}.`,
  },
  cancelled: { title: "Change cancelled", lead: (what) => `You won't move to ${what}: ${staysSo}.` },
  open: {
    title: "Payment due",
    lead: (what) => `Your change to ${what} hasn't been paid for yet. Until it is, ${staysSo}.`,
  },
  expired: {
    title: "Change expired",
    lead: (what) => `Your change to ${what} wasn't paid for in time, so ${staysSo}.`,
  },
};

const en = {
  pages: { "new-plan": startPages, renewal: renewalPages, change: changePages } satisfies Record<
    OrderKind,
    Record<Page, Heading>
  >,
  mismatch: {
    title: (isOwed: boolean) => (isOwed ? "We'll refund this payment" : "We've refunded this payment"),
    text: "If you don't hear from us within a day, contact us:",
  },
  unconfirmed: {
    title: "Your payment is being confirmed",
    lead: (what: string) => `We're waiting for Stripe to confirm your payment for ${what}. Please don't pay again.`,
    text: "Stripe isn't responding at the moment. If you've paid, your payment is safe and we'll email your invoice.",
    often:
      "We've checked with Stripe several times already. If you've paid, your payment is safe and we'll email your invoice.",
  },
  returned: {
    title: "Your bank returned this payment to you",
    lead: (what: string) => `It was for ${what}. That plan has ended.`,
  },
  past: { title: "Already paid", lead: (what: string) => `This order for ${what} is complete.` },
  closedAccount: {
    lead: "Your account is closed, so your plan has ended and no plan will start.",
    account: "Go to your account",
  },
  refunded: {
    all: "It has since been refunded in full.",
    part: (amount: string) => `${amount} has since been refunded.`,
  },
  disputes: {
    none: null,
    "needs-response": "You've disputed this payment with your bank. Your plan continues until your bank decides.",
    "under-review":
      "You've disputed this payment with your bank, which is deciding now. Your plan continues until then.",
    won: "You disputed this payment, and your bank decided that it was valid.",
    lost: null,
  } satisfies Record<Dispute, string | null>,
  number: "Order",
  amount: "Amount",
  /** For a payment that wasn't made. Only a renewal is owed. */
  unpaid: { "new-plan": "Price", change: "Price", renewal: "Amount due" } satisfies Record<OrderKind, string>,
  per: { month: "per month", year: "per year" },
  friendRefunded: "Refunded as friend discount",
  plan: "Plan",
  planText: {
    month: (plan: string) => `${plan}, billed monthly`,
    year: (plan: string) => `${plan}, billed yearly`,
  },
  since: "Since",
  renews: "Renews on",
  success: {
    start: (product: string) => `Get ${product}`,
    receipt: "See your order and invoice",
    order: "See your order",
    plan: "See your plan",
  },
  processing: {
    refresh: "This page updates automatically.",
    orders: "See your orders",
  },
  action: {
    text: "Go back to the checkout to confirm it.",
    button: "Confirm payment",
    invoice: "Confirm with your bank on the page that opens, then come back here. This page updates automatically.",
    invoiceButton: "Confirm payment",
  },
  again: { same: "Try again", choose: "Choose another plan", open: "Review and pay" },
  pay: {
    card: "Change card",
    toCard: "One moment",
    next: (day: string) => `We'll try again automatically on ${day}.`,
    giveUp: "Cancel change",
  },
  unreachable: "Stripe isn't responding at the moment, so this may be out of date. This page updates automatically.",
  often: "We've checked with Stripe several times already, so this may be a little out of date.",
  looksIn: (wait: string) => `We'll check again in ${wait}.`,
  unknown: {
    title: "We can't find this payment",
    lead: "It may be an older payment, or belong to another account. If it went through, your invoice is in your inbox. Please don't pay again.",
  },
  signedOut: {
    title: "Sign in to see this payment",
    lead: "If it went through, we'll email your invoice. Please don't pay again.",
    button: "Sign in",
    orders: "See your orders",
  },
};

export type PaymentTexts = typeof en;
export const paymentMessages: Messages<PaymentTexts> = { en };

/** `isOwed`: a refund that Stripe refused is to be made by hand. `mismatchText`: what became of a payment that isn't what was asked for. */
type HeadFacts = {
  kind: OrderKind;
  page: PaymentPage;
  what: string;
  isAccountClosed: boolean;
  isOwed: boolean;
  mismatchText: string | null;
};

/** The payment page's heading, by purpose and result. */
export function headPayment(
  messages: PaymentTexts,
  { kind, page, what, isAccountClosed, isOwed, mismatchText }: HeadFacts,
): { title: string; lead: string } {
  if (page === "mismatch") return { title: messages.mismatch.title(isOwed), lead: mismatchText ?? "" };
  const { title, lead } = isOfItself(page) ? messages[page] : messages.pages[kind][page];
  return { title, lead: isAccountClosed ? messages.closedAccount.lead : lead(what) };
}

/** The same text for every kind of payment. */
function isOfItself(page: Exclude<PaymentPage, "mismatch">): page is "past" | "returned" | "unconfirmed" {
  return page === "past" || page === "returned" || page === "unconfirmed";
}

/** Shown while the bank processes a payment, on the payment's page and on its order's. */
const processingTexts = {
  text: "Your bank takes a few days for this payment. You don't have to do anything. Please don't pay again. We'll email you when the payment arrives.",
  /** For a renewal whose plan stays active. */
  asUsual: "Your plan stays active. If the payment fails, we'll email you and tell you how long you have to pay.",
};

export const processingMessages: Messages<typeof processingTexts> = { en: processingTexts };

/** Why a payment failed, wherever that is shown. */
const paymentReasonsTexts = {
  declined: "Your bank declined the card without giving a reason. Try another card, or ask your bank.",
  "no-funds": "There wasn't enough money in the account.",
  "card-details": "The card number, expiry date or security code was wrong.",
  authentication: "You didn't complete the confirmation your bank asked for.",
  other: "Stripe couldn't take the payment.",
} satisfies Record<FailureClass, string>;

export const paymentReasonsMessages: Messages<Record<FailureClass, string>> = { en: paymentReasonsTexts };

/** Of a payment that isn't what was asked for: on its own page, its order's and the plan's. */
const mismatchTexts = {
  refunded:
    "You were charged for something else than we'd shown you, which was our mistake. We've sent your payment back, your plan isn't active, and you won't be charged again.",
  returned:
    "You were charged for something else than we'd shown you, which was our mistake. Your bank has returned your payment, your plan isn't active, and you won't be charged again.",
  owed: "You were charged for something else than we'd shown you, which was our mistake. Your plan isn't active, and you won't be charged again. We couldn't send your payment back automatically, so we'll do it by hand. Please don't pay again until then.",
  owedRunning:
    "You were charged for something else than we'd shown you, which was our mistake. Your plan ends with its period, and you won't be charged again. We couldn't send your payment back automatically, so we'll do it by hand.",
  kept: "You were charged an earlier, lower price than we'd shown you. You keep your plan at that price.",
};

export const mismatchMessages: Messages<typeof mismatchTexts> = { en: mismatchTexts };
