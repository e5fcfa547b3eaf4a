import type { Interval } from "#app/core/time/interval.ts";
import type {
  ChargeResult,
  AmountAdjustment,
  Explanation,
} from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { CreditNoteReason } from "#app/modules/billing/documents/rules.ts";
import type { OrderKind } from "#app/modules/billing/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import { formatSpan } from "#app/core/time/time.ts";
import { reviewMs } from "#app/modules/referrals/eligibility.rules.ts";
import type { DiscountRefusal, DiscountReview } from "#app/modules/billing/orders/order-discount.rules.ts";
import type { OrderState } from "#app/modules/billing/orders/states.rules.ts";
import type { HistoryEmail, HistoryEvent } from "#app/modules/billing/history/history.rules.ts";

const en = {
  title: {
    numbered: (number: string) => `Order ${number}`,
    unconfirmed: "Order",
    processing: "Payment processing",
    over: "Order not completed",
    confirm: "Payment to confirm",
    open: "Unpaid order",
  },
  back: "Orders",
  headline: {
    paid: (amount, day) => `${amount} paid on ${day}`,
    covered: () => "Nothing to pay",
    unconfirmed: (amount) => `${amount} being confirmed`,
    open: (amount) => `${amount} not paid yet`,
    never: () => "Nothing was charged",
  } satisfies Record<ChargeResult, (amount: string, day: string) => string>,
  processing: (amount: string) => `${amount} is being processed`,
  due: (amount: string, day: string) => `${amount} due since ${day}`,
  paidWithCredit: (amount: string, day: string) => `${amount} paid with credit on ${day}`,
  /** The only line until Stripe's invoice is paid. */
  planLine: (what: string, kind: OrderKind, interval: Interval) =>
    kind === "change" ? `Change to ${what}` : `${what}, one ${interval}`,
  details: "Billing details",
  line: "Description",
  amount: "Amount",
  to: "to",
  steps: {
    discount: "Discount",
    credit: "Credit used",
    credited: "Added to your credit",
    "carried-from": "Carried over from an earlier payment",
    "carried-to": "Carried over to your next payment",
    excess: "More than was left of your payment",
  } satisfies Record<AmountAdjustment["what"] | "excess", string>,
  charged: "Total",
  /** Of a line, where there are several. */
  lineNet: "Without tax",
  lineTax: "tax",
  /** The last row of a document. */
  money: {
    invoice: "Paid",
    refund: "Refunded",
    "friend-discount": "Refunded",
    "dispute-lost": "Returned by your bank",
    credit: "Refunded",
    "refund-returned": "Refunded",
    "dispute-won": "Returned by your bank",
  } satisfies Record<"invoice" | CreditNoteReason, string>,
  /** What went back of an invoice, before its date. */
  corrections: {
    refund: "Refunded on",
    "friend-discount": "Friend discount refunded on",
    "dispute-lost": "Returned by your bank on",
    credit: "Given back as credit on",
    "refund-returned": "A refund came back from your bank on",
    "dispute-won": "Your bank took its return back on",
  } satisfies Record<CreditNoteReason, string>,
  creditNote: (number: string) => `credit note ${number}`,
  asked: "To be charged",
  tax: "Tax included",
  net: "Amount without tax",
  taxAt: (name: string | null, rate: string | null) => [name ?? "Tax", ...(rate ? [rate] : []), "included"].join(" "),
  reverseCharge: "Reverse charge: the customer pays the VAT",
  retained: "Paid after refund",
  retainedAfterReturn: "Paid after return",
  why: "Why this amount",
  billedTo: "Billed to",
  seller: "From",
  noTax: "No tax was charged.",
  paidBy: "Payment method",
  vatId: (id: string) => `VAT ID ${id}`,
  credit: "Credit",
  noMoney: "No payment needed",
  timeline: "History",
  invoice: "Show invoice",
  unpaid: {
    failed: "The latest payment attempt failed",
    nextTry: (day: string) => `We'll try again automatically on ${day}.`,
    noNextTry: "We won't try again automatically.",
    "needs-action": "Your bank needs you to confirm this payment",
    confirm: "Confirm payment",
    again: "Try again",
    see: "See this payment",
    otherCard: "Change card",
  },
  disputed: {
    title: "You've disputed this payment with your bank",
    text: "Nothing changes until your bank decides, which can take months. If it was a mistake, tell your bank.",
    textPaused:
      "Until your bank decides, which can take months, a plan that it paid for is paused. If it was a mistake, tell your bank.",
  },
  withdrawal: {
    open: (day: string) =>
      `You can withdraw from this contract until ${day} and get your money back. You don't have to give a reason.`,
    link: "Withdraw from this contract",
  },
};

export type OrderDetailTexts = typeof en;
export const orderDetailMessages: Messages<OrderDetailTexts> = { en };

/** What a withdrawal covers and what became of it. The server chooses the texts. */
const orderWithdrawalTexts = {
  covers: (orders: string) =>
    `The withdrawal covers orders ${orders}, because plan changes and later payments belong to the same contract.`,
  back: (amount: string, credit: string | null) =>
    `We'll refund ${amount}${credit ? ` and give back ${credit} of credit` : ""}, and end your plan if it's still active.`,
  /** `by` is the day until which a refund is due. */
  declared: {
    open: (day: string, by: string, support: string) =>
      `You withdrew from this contract on ${day}. We'll refund you by ${by}, or email you to explain why we can't. If you didn't send this withdrawal, email ${support}.`,
    byAnyone: (day: string, by: string, support: string) =>
      `On ${day}, someone who wasn't signed in sent a withdrawal from this contract. Nothing changes until we've checked it, and we'll email you the outcome by ${by}. If it wasn't you, email ${support}.`,
    settled: (day: string, amount: string) =>
      `You withdrew from this contract on ${day}. We accepted your withdrawal and refunded ${amount}.`,
    contested: (day: string, reason: string | null) =>
      `You sent a withdrawal from this contract on ${day}. We couldn't accept it.${reason ? ` ${reason}${/[.!?]$/.test(reason) ? "" : "."}` : ""} If you think we're wrong, reply to our email about it.`,
  },
};

export const orderWithdrawalMessages: Messages<typeof orderWithdrawalTexts> = { en: orderWithdrawalTexts };

/** Why an order's amount is what it is. The server chooses the sentences. */
const explanationTexts = {
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

export const explanationMessages: Messages<typeof explanationTexts> = { en: explanationTexts };

/** The server chooses the text (say-discount.ts). */
const orderDiscountTexts = {
  title: "Friend discount",
  expected: (amount: string, isUnderReview: boolean) =>
    [
      `If you're a new customer, we'll refund ${amount} to the payment method you used. New means that no other account has used your email address or payment method. We'll email you either way.`,
      ...(isUnderReview ? [`We're checking your sign-up first, which takes ${formatSpan(reviewMs)} at most.`] : []),
    ].join(" "),
  due: (amount: string) => `We'll refund ${amount} to the payment method you used.`,
  review: {
    "payment-method": (amount: string) =>
      `We're checking the ${amount} discount, because Stripe can't tell us whether your payment method is new. We'll email you.`,
    domain: (amount: string) =>
      `We're checking the ${amount} discount, because someone else with an address at your email domain is already a customer. We'll email you.`,
    provider: (amount: string) =>
      `We're checking the ${amount} discount, because Stripe didn't accept the refund. We'll email you.`,
  } satisfies Record<DiscountReview, (amount: string) => string>,
  refused: {
    "known-mailbox": (amount: string) =>
      `You won't get the ${amount} discount. It's for new customers, and your email address has already been used for another account.`,
    "known-method": (amount: string) =>
      `You won't get the ${amount} discount. It's for new customers, and this payment method has already been used for another account.`,
    operator: (amount: string) =>
      `You won't get the ${amount} discount: we've checked this order and it doesn't qualify.`,
    "money-back": (amount: string) => `You won't get the ${amount} discount, because the payment was returned to you.`,
    "account-erased": (amount: string) => `You won't get the ${amount} discount, because the account was closed.`,
  } satisfies Record<DiscountRefusal, (amount: string) => string>,
};

export const orderDiscountMessages: Messages<typeof orderDiscountTexts> = { en: orderDiscountTexts };

type MoneyChange = Extract<HistoryEvent, { kind: "money" }>["event"];

/** The server chooses these, so that browsers don't load every message for the few that apply. */
const orderHistoryTexts = {
  /** Null isn't shown: customers know which plan they chose. */
  states: {
    draft: { "new-plan": null, change: "You confirmed the change", renewal: "The renewal started" },
    pending: { "new-plan": null, change: "The payment for the change started", renewal: "Payment due" },
    processing: "Your bank started processing the payment",
    "needs-action": "Your bank asked you to confirm the payment",
    paid: {
      "new-plan": "The payment arrived and your plan started",
      change: "The payment arrived and your plan changed",
      renewal: "The payment arrived",
    },
    "partially-refunded": "It was partly refunded",
    refunded: "It was refunded in full",
    cancelled: {
      "new-plan": "The payment was cancelled",
      change: "The payment was cancelled",
      renewal: "The payment was cancelled, and isn't owed any more",
    },
    expired: "The checkout expired; nothing was charged",
  } satisfies Record<Exclude<OrderState, "failed">, string | Record<OrderKind, string | null>>,
  declined: (attempt: number) => {
    const ordinal = ["First", "Second", "Third", "Fourth", "Fifth"][attempt - 1];
    return ordinal ? `${ordinal} attempt declined` : `Attempt ${attempt} declined`;
  },
  paidByCredit: "Paid with your credit",
  paidNothing: {
    "new-plan": "Your plan started",
    change: "Your plan changed",
    renewal: "Your plan was renewed",
  } satisfies Record<OrderKind, string>,
  again: (what: string, tryNumber: number) => (tryNumber > 1 ? `${what} (attempt ${tryNumber})` : what),
  money: {
    refund: (amount: string) => `${amount} was refunded`,
    "friend-discount": (amount: string) => `We refunded ${amount} as your friend discount`,
    "refund-failed": (amount: string) => `A refund of ${amount} failed: your bank returned it to us`,
    dispute: (amount: string) => `You disputed ${amount} with your bank`,
    "dispute-won": (amount: string) => `Your bank decided that the payment of ${amount} was valid`,
    "dispute-lost": (amount: string) => `Your bank returned ${amount} to you`,
  } satisfies Record<MoneyChange, (amount: string) => string>,
  mismatch: (asked: string) => `It wasn't what we'd shown you for ${asked}`,
  emailed: {
    receipt: "We emailed you the invoice",
    processing: "We emailed you that the payment was being processed",
    failed: "We emailed you about it",
    action: "We emailed you that your bank needed your confirmation",
    refund: "We emailed you about the refund",
    "friend-discount": "We emailed you about the friend discount",
    dispute: "We emailed you about the dispute",
    "dispute-won": "We emailed you your bank's decision",
    "dispute-lost": "We emailed you your bank's decision",
    "credit-note": "We emailed you a credit note",
    withdrawal: "We emailed you that we'd received the withdrawal",
    "withdrawal-contested": "We emailed you to explain why we couldn't accept the withdrawal",
    other: "We emailed you about this order",
  } satisfies Record<HistoryEmail, string>,
  withdrawal: {
    owner: "We received a withdrawal from this contract",
    anyone: "Someone with your order number and email address sent a withdrawal",
  },
};

export type OrderHistoryTexts = typeof orderHistoryTexts;
export const orderHistoryMessages: Messages<OrderHistoryTexts> = { en: orderHistoryTexts };
