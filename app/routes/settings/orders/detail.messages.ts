import type { Interval } from "#app/core/time/interval.ts";
import type { Explanation, Step } from "#app/modules/plan-changes/amount-breakdown.rules.ts";
import type { OrderKind, OrderState } from "#app/modules/orders/rules.ts";
import type { MailAbout, TimelineEntry } from "#app/modules/order-history/timeline.rules.ts";
import type { Messages } from "#app/core/messages.ts";

type MoneyChange = Extract<TimelineEntry, { kind: "money" }>["move"];

const en = {
  title: (number: string | null, isUnconfirmed: boolean) =>
    number ? `Order ${number}` : isUnconfirmed ? "Order" : "Unpaid order",
  line: "Line",
  amount: "Amount",
  to: "to",
  steps: {
    discount: "Discount",
    credit: "Credit used",
    kept: "Kept as your credit",
    "carried-from": "Carried over from an earlier charge",
    "carried-to": "Carried over to the next charge",
  } satisfies Record<Step["what"], string>,
  charged: "Charged",
  asked: "To be charged",
  tax: "Tax included",
  net: "Amount without tax",
  taxAt: (name: string | null, rate: string | null) => [name ?? "Tax", ...(rate ? [rate] : []), "included"].join(" "),
  reverseCharge: "Reverse charge: the customer pays the VAT",
  refunded: "Refunded so far",
  friendRefunded: "Friend discount refunded",
  why: "Why this amount",
  because: (why: Explanation, plan: string, interval: Interval): string =>
    ({
      "first-period": `It is the price of ${plan} for the first ${interval}.`,
      "next-period": `It is the price of ${plan} for another ${interval}.`,
      "change-now": `You changed to ${plan} in the middle of a period. What you had paid for and not used counts against the price of the new plan for the same time.`,
      "change-whole": `You changed to ${plan}, and a new ${interval} began with it.`,
      discount: "A discount took some of it off.",
      credit: "Your credit paid for some of it.",
      kept: "It came to less than nothing, and that is kept as your credit.",
      "carried-from": "An earlier charge was too small to be collected alone, and was carried over to this one.",
      "carried-to": "It is too little to be collected alone, and is carried over to the next charge.",
      "credit-all": "Your credit covered it in full.",
      "nothing-charged": "Nothing was left to charge.",
    })[why],
  billedTo: "Billed to",
  seller: "From",
  paidBy: "Paid by",
  vatId: (id: string) => `VAT id ${id}`,
  payingWith: (method: string, last4: string | null) => {
    const name = method.replaceAll("_", " ");
    const word = name.charAt(0).toUpperCase() + name.slice(1);
    return last4 ? `${word} ending in ${last4}` : word;
  },
  noMoney: "Nothing had to be paid",
  timeline: "What happened",
  print: "Receipt to print",
  invoice: "Invoice from Stripe",
  back: "Back to the list",
  unpaid: {
    failed: "The last try to collect this did not go through",
    nextTry: (day: string) => `We try again on ${day}. You can also pay now.`,
    noNextTry: "We don't try again by ourselves.",
    retry: "Pay now",
    retrying: "Paying",
    "needs-action": "Your bank wants you to confirm this payment",
    confirm: "Confirm the payment",
    see: "See this payment",
    mismatch:
      "The payment that arrived was not for this amount. We are looking at it and will write to you; please don't pay again.",
  },
  withdrawal: {
    open: (day: string) =>
      `Until ${day} you can withdraw from this contract without a reason, and get your money back.`,
    covers: (orders: string) =>
      `The withdrawal covers orders ${orders}: plan changes and later charges belong to the same contract.`,
    back: (amount: string, credit: string | null) =>
      `You get back ${amount}${credit ? `, and ${credit} of credit` : ""}, and your plan ends.`,
    link: "Withdraw from this contract",
    declared: "A withdrawal from this contract was declared on",
    settled: ". The refund has settled it.",
    after: ". We'll email you when it's decided. If it wasn't you, email us.",
    byAnyone:
      " by someone who wasn't signed in. If it was you, we'll email you when it's decided. If it wasn't, email us; your order stays as it is.",
    contested: (reason: string | null) =>
      `. We couldn't accept it${reason ? `: ${reason}${/[.!?]$/.test(reason) ? "" : "."}` : "."} If you think we're wrong, reply to the email about it.`,
  },
  entries: {
    states: {
      draft: { "new-plan": "You chose the plan", change: "You confirmed the change", renewal: "It was begun" },
      pending: {
        "new-plan": "The payment page opened",
        change: "The charge for the change was begun",
        renewal: "A new period began, and its charge with it",
      },
      processing: "Your bank took up the payment",
      "needs-action": "Your bank asked you to confirm the payment",
      paid: {
        "new-plan": "The payment arrived, and the plan began",
        change: "The payment arrived, and the change took effect",
        renewal: "The payment arrived",
      },
      "partially-refunded": "Part of it went back to you",
      refunded: "All of it went back to you",
      failed: "The payment was declined",
      cancelled: "It was given up; nothing was charged",
      expired: "The payment page ran out; nothing was charged",
    } satisfies Record<OrderState, string | Record<OrderKind, string>>,
    paidByCredit: "Paid with your credit",
    again: (what: string, tryNumber: number) => (tryNumber > 1 ? `${what} (try ${tryNumber})` : what),
    money: {
      refund: (amount: string) => `${amount} was sent back to you`,
      "friend-discount": (amount: string) => `Friend discount ${amount} refunded`,
      "refund-failed": (amount: string) => `Your bank returned a refund of ${amount} to us; it did not reach you`,
      dispute: (amount: string) => `Your bank disputed ${amount} of it`,
      "dispute-won": (amount: string) => `Your bank upheld the charge of ${amount}`,
      "dispute-lost": (amount: string) => `Your bank returned ${amount} to you`,
    } satisfies Record<MoneyChange, (amount: string) => string>,
    mailed: {
      receipt: "We mailed you the receipt",
      processing: "We told you by mail that the payment is on its way",
      failed: "We told you by mail that the payment did not go through",
      action: "We told you by mail that your bank is waiting for your confirmation",
      refund: "We mailed you about the refund",
      "friend-discount": "We emailed you about the friend discount",
      dispute: "We mailed you about the dispute",
      "dispute-won": "We mailed you what your bank decided",
      "dispute-lost": "We mailed you what your bank decided",
      withdrawal: "We mailed you what was declared",
      "withdrawal-contested": "We emailed you why the withdrawal wasn't accepted",
      other: "We mailed you about this order",
    } satisfies Record<MailAbout, string>,
    withdrawal: "A withdrawal from this contract was declared",
  },
};

export type OrderDetailTexts = typeof en;
export const orderDetailMessages: Messages<OrderDetailTexts> = { en };
