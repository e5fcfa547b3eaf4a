import type { Interval } from "#app/core/time/interval.ts";
import type { ChargeResult, Explanation, AmountAdjustment } from "#app/modules/orders/amount-breakdown.rules.ts";
import type { OrderKind, OrderState } from "#app/modules/orders/rules.ts";
import type { HistoryEmail, HistoryEvent } from "#app/modules/order-history/history.rules.ts";
import type { Messages } from "#app/core/messages.ts";

type MoneyChange = Extract<HistoryEvent, { kind: "money" }>["event"];

const en = {
  title: {
    numbered: (number: string) => `Order ${number}`,
    unconfirmed: "Order",
    processing: "Payment processing",
    over: "Order not completed",
    open: "Unpaid order",
  },
  back: "Orders",
  headline: {
    paid: (amount, day) => `${amount} paid on ${day}`,
    covered: (_amount, day) => `Nothing to pay on ${day}`,
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
  } satisfies Record<AmountAdjustment["what"], string>,
  charged: "Total",
  asked: "To be charged",
  tax: "Tax included",
  net: "Amount without tax",
  taxAt: (name: string | null, rate: string | null) => [name ?? "Tax", ...(rate ? [rate] : []), "included"].join(" "),
  reverseCharge: "Reverse charge: the customer pays the VAT",
  refunded: "Refunded",
  friendRefunded: "Friend discount refunded",
  returned: "Returned by your bank",
  why: "Why this amount",
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
  billedTo: "Billed to",
  seller: "From",
  noTax: "Prices include tax.",
  paidBy: "Payment method",
  vatId: (id: string) => `VAT ID ${id}`,
  credit: "Credit",
  noMoney: "No payment needed",
  timeline: "History",
  print: "Print receipt",
  invoice: "Download invoice",
  unpaid: {
    failed: "The last payment attempt failed",
    nextTry: (day: string) => `We'll try again automatically on ${day}. You can also pay now.`,
    noNextTry: "We won't try again automatically.",
    retry: (amount: string) => `Pay ${amount}`,
    retrying: "Paying",
    "needs-action": "Your bank needs you to confirm this payment",
    confirm: "Confirm payment",
    again: "Try again",
    see: "See this payment",
    mismatch:
      "The amount we received isn't the amount we asked for. We're looking into it and will email you; please don't pay again.",
  },
  disputed: {
    title: "You've disputed this payment with your bank",
    text: "It can take months to decide; nothing changes until then. If you recognise the payment, tell your bank.",
  },
  withdrawal: {
    open: (day: string) =>
      `You can withdraw from this contract until ${day} and get your money back. You don't have to give a reason.`,
    covers: (orders: string) =>
      `The withdrawal covers orders ${orders}, because plan changes and later payments belong to the same contract.`,
    back: (amount: string, credit: string | null) =>
      `We'll refund ${amount}${credit ? ` and give back ${credit} of credit` : ""}, and your plan ends.`,
    link: "Withdraw from this contract",
    declared: "We received a withdrawal from this contract on",
    settled: ". We've refunded it.",
    after: ". We'll email you with the outcome. If you didn't send it, contact us.",
    byAnyone:
      " from someone who wasn't signed in. If that was you, we'll email you with the outcome. If it wasn't, contact us; your order stays the same.",
    contested: (reason: string | null) =>
      `. We couldn't accept it.${reason ? ` Reason: ${reason}${/[.!?]$/.test(reason) ? "" : "."}` : ""} If you think we're wrong, reply to the email about it.`,
  },
  entries: {
    /** Null: not shown, because customers know which plan they chose. */
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
      cancelled: "It was cancelled; nothing was charged",
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
      "friend-discount": (amount: string) => `Your friend discount of ${amount} was refunded`,
      "refund-failed": (amount: string) => `A refund of ${amount} failed: your bank returned it to us`,
      dispute: (amount: string) => `You disputed ${amount} with your bank`,
      "dispute-won": (amount: string) => `Your bank decided that the payment of ${amount} was valid`,
      "dispute-lost": (amount: string) => `Your bank returned ${amount} to you`,
    } satisfies Record<MoneyChange, (amount: string) => string>,
    mailed: {
      receipt: "We emailed you the receipt",
      processing: "We emailed you that the payment was being processed",
      failed: "We emailed you about it",
      action: "We emailed you that your bank needed your confirmation",
      refund: "We emailed you about the refund",
      "friend-discount": "We emailed you about the friend discount",
      dispute: "We emailed you about the dispute",
      "dispute-won": "We emailed you your bank's decision",
      "dispute-lost": "We emailed you your bank's decision",
      withdrawal: "We emailed you to confirm the withdrawal",
      "withdrawal-contested": "We emailed you why the withdrawal wasn't accepted",
      other: "We emailed you about this order",
    } satisfies Record<HistoryEmail, string>,
    withdrawal: "We received a withdrawal from this contract",
  },
};

export type OrderDetailTexts = typeof en;
export const orderDetailMessages: Messages<OrderDetailTexts> = { en };
