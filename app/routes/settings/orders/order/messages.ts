import type { Interval } from "#app/core/time/interval.ts";
import type { ChargeResult, AmountAdjustment } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { CreditNoteReason } from "#app/modules/billing/documents/rules.ts";
import type { OrderKind } from "#app/modules/billing/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";

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
