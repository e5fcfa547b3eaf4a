import type { Messages } from "#app/core/messages.ts";
import { type EmailNames, type EmailsOf, type EmailTextFor, fitsSubject } from "#app/modules/email/texts.rules.ts";
import type { ReceiptFacts } from "#app/modules/email/receipt-facts.rules.ts";
import { receiptText, sayPaid } from "#app/modules/email/messages/receipt.messages.ts";
import { type Failed, failureMessages } from "#app/modules/email/messages/failures.messages.ts";

type OrderEmail =
  /** An order was paid; says until when it can be withdrawn from. */
  | ({ template: "receipt" } & Paid & WayOut)
  /** An operator resent a receipt: what was paid, what of it was refunded or returned by the bank since, and the rest. */
  | ({
      template: "receipt-copy";
      number: string;
      paid: string;
      backs: Back[];
      /** Null if all of it is left. */
      left: string | null;
      /** Given back as credit, which changes nothing of what was paid. */
      credits: Back[];
    } & Paid &
      WayOut)
  /** A payment takes days. */
  | { template: "payment-processing"; what: string; amount: string; url: string }
  /** A payment that took days succeeded; also the receipt. */
  | ({ template: "payment-arrived" } & Paid & WayOut)
  /** A payment that took days failed. */
  | ({ template: "payment-failed"; what: string; amount: string; url: string } & Failed)
  /** The bank asks for a confirmation of a renewal. */
  | { template: "payment-action"; what: string; amount: string; url: string }
  /** Money was refunded. `planEnded`: the plan it paid for has ended. `withdrawn`: the day of the withdrawal that this settles. */
  | ({ template: "refund"; what: string; number?: string | null; amount: string; url: string } & Refunded &
      WithCreditNote)
  /** Something else was charged than `asked`, and is refunded; `isRefunded` is false if Stripe refused that. `isChange`: of a plan, which ended, or ends on `endsOn`. */
  | {
      template: "payment-mismatch";
      what: string;
      asked: string;
      amount: string;
      isRefunded: boolean;
      isChange: boolean;
      endsOn: string | null;
      url: string;
      receipt: ReceiptFacts;
    }
  /** Part of the first payment was refunded as a friend's discount. */
  | ({ template: "friend-discount"; what: string; amount: string; url: string } & WithCreditNote)
  /** A bank opened a dispute. */
  | { template: "dispute-opened"; what: string; amount: string; pausesPlan: boolean; url: string }
  /** The bank decided for the seller. `wasReturned`: after it had decided for its customer, and is taking the amount back. */
  | { template: "dispute-won"; what: string; amount: string; wasReturned: boolean; url: string }
  /** The bank decided for its customer. `planEnded`: the plan it paid for has ended. */
  | ({ template: "dispute-lost"; what: string; amount: string; planEnded: boolean; url: string } & WithCreditNote)
  /** A credit note was issued that no other email contains. */
  | {
      template: "credit-note";
      why: Back["what"];
      what: string;
      amount: string;
      url: string;
      creditNote: ReceiptFacts;
    };

/** What was paid. `plan` is the plan's name alone, null if it has none. */
type Paid = {
  what: string;
  plan: string | null;
  amount: string;
  url: string;
  receipt: ReceiptFacts;
  /** What the page had asked for, if the plan is kept at another price. */
  asked?: string | null;
};

/** What went back, by the credit note of that number. */
type Back = {
  what: "refund" | "friend-discount" | "dispute-lost" | "credit" | "refund-returned" | "dispute-won";
  number: string;
  on: string;
  amount: string;
};

/** The credit note, once it is issued. */
type WithCreditNote = { creditNote?: ReceiptFacts | null };

/** The last day on which the contract can be withdrawn from, and where; null where there is none. */
export type WayOut = { withdrawUntil: string | null; withdrawUrl: string | null };

type Refunded = { planEnded: boolean; withdrawn?: string | null };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    orders: OrderEmail;
  }
}

const order = "You're receiving this email because of an order on your account.";
const see = (url: string) => ({ label: "See my order", url });
const moneyBack = {
  refund: "Refunded on",
  "friend-discount": "Friend discount refunded on",
  "dispute-lost": "Returned by your bank on",
  credit: "Given back as credit on",
  "refund-returned": "A refund came back from your bank on",
  "dispute-won": "Your bank took its return back on",
};
const sayBack = ({ what, number, on, amount }: Extract<OrderEmail, { template: "receipt-copy" }>["backs"][number]) =>
  `${moneyBack[what]} ${on}: ${amount} (credit note ${number}).`;
const sayCreditNote = ({ why, amount, what }: Extract<OrderEmail, { template: "credit-note" }>) => {
  switch (why) {
    case "credit":
      return {
        heading: `We've given back ${amount} of credit`,
        before: [`You'd used it for ${what}. It's part of your credit again. This is the credit note for it.`],
      };
    case "refund-returned":
      return {
        heading: `Your bank sent back our refund of ${amount}`,
        before: [
          `Our refund for ${what} didn't reach you. We'll contact you about another way to send you the money. This document takes the refund's credit note back.`,
        ],
      };
    case "dispute-won":
      return {
        heading: `Your bank has taken back ${amount}`,
        before: [`It had returned that to you for ${what}. This document takes the credit note for it back.`],
      };
    default:
      return {
        heading: `Credit note for ${amount}`,
        before: [`${amount} of what you paid for ${what} went back. This is the credit note for it.`],
      };
  }
};
const paidSubject = ({ amount, plan }: { amount: string; plan: string | null }, product: string) =>
  `Your ${product} invoice: ${amount}${fitsSubject(plan) ? ` for ${plan}` : ""}`;
/** The invoice, and where to print it. */
const itemised = ({ receipt, url }: { receipt: ReceiptFacts; url: string }) => ({
  receipt: receiptText(receipt),
  button: see(url),
  after: [],
});
/** The credit note of what went back. Emails to operators' customers show none before the money goes. */
const credited = ({ creditNote, url }: { creditNote?: ReceiptFacts | null; url: string }) => ({
  ...(creditNote && { receipt: receiptText(creditNote) }),
  button: see(url),
  after: [],
});
const kept = ({ asked, amount }: { asked?: string | null; amount: string }) =>
  asked ? [`We'd shown you ${asked}. Stripe charged ${amount}, an earlier price, and you keep the plan at that.`] : [];
const renewal = ({ receipt }: { receipt: ReceiptFacts }) => {
  const day = receipt.renewsOn ?? receipt.lines.at(-1)?.period?.until;
  return day ? [`Your plan renews automatically on ${day}, unless you cancel it before then.`] : [];
};
const whenItShows = "It can take up to ten working days to appear on your statement.";
const wayOut = ({ withdrawUntil, withdrawUrl }: { withdrawUntil: string | null; withdrawUrl: string | null }) =>
  withdrawUntil && withdrawUrl
    ? {
        label: `Changed your mind? Until ${withdrawUntil}, you can withdraw from this contract and get your money back`,
        url: withdrawUrl,
      }
    : undefined;

const en: EmailTextFor<OrderEmail> = {
  receipt: (content, { product }) => ({
    subject: paidSubject(content, product),
    heading: `You paid ${content.amount} for ${content.what}`,
    before: [`Thank you. ${sayPaid(content.receipt)}`, ...kept(content)],
    ...itemised(content),
    after: renewal(content),
    more: wayOut(content),
    reason: order,
  }),
  "receipt-copy": (content, { product }) => ({
    subject: paidSubject(content, product),
    heading: `Invoice ${content.number}`.trim(),
    before: [
      `${content.amount} for ${content.what}, paid on ${content.paid}.`,
      ...content.backs.map(sayBack),
      ...(content.left === null ? [] : [`Amount remaining: ${content.left}.`]),
      ...content.credits.map(sayBack),
    ],
    ...itemised(content),
    more: wayOut(content),
    reason: order,
  }),
  "payment-processing": (content, { product }) => ({
    subject: `Your ${product} payment is processing`,
    heading: "Your payment is processing",
    before: [
      `Your bank is processing your payment of ${content.amount} for ${content.what}. This takes a few days.`,
      "There's nothing you need to do, and please don't pay again: we'll email you when the payment arrives.",
    ],
    button: see(content.url),
    after: [],
    reason: order,
  }),
  "payment-arrived": (content, { product }) => ({
    subject: paidSubject(content, product),
    heading: `Your payment of ${content.amount} for ${content.what} has arrived`,
    before: [`Your plan is active. ${sayPaid(content.receipt)}`],
    ...itemised(content),
    after: renewal(content),
    more: wayOut(content),
    reason: order,
  }),
  "payment-failed": (content, { product }) => ({
    subject: `Your ${product} payment failed`,
    heading: `Your payment of ${content.amount} failed`,
    before: [
      `You haven't been charged for ${content.what}. ${failureMessages.en[content.failure ?? "other"]}`,
      "Try again with the same payment method, or another one:",
    ],
    button: { label: "Try again", url: content.url },
    after: [],
    reason: order,
  }),
  "payment-action": (content, { product }) => ({
    subject: `Confirm your ${product} payment`,
    heading: "Your bank needs you to confirm",
    before: [
      `Your bank needs you to confirm the payment of ${content.amount} for ${content.what}. You won't be charged until you do:`,
    ],
    button: { label: "Confirm payment", url: content.url },
    after: ["If you no longer want your plan, you can cancel it in your account."],
    reason: order,
  }),
  refund: (content, { product }) => ({
    subject: [content.amount, content.number].every(fitsSubject)
      ? `Your ${product} refund: ${content.amount} for order ${content.number}`
      : `We've sent you a refund for ${product}`,
    heading: `We've refunded ${content.amount}`,
    before: [
      content.withdrawn
        ? `We've accepted your withdrawal of ${content.withdrawn}. The refund for ${content.what} goes to the payment method you used.`
        : `The refund for ${content.what} goes to the payment method you used.`,
      whenItShows,
      ...(content.planEnded
        ? ["Your plan has ended. If we refund other orders of the same contract, we'll email you about each."]
        : []),
    ],
    ...credited(content),
    reason: order,
  }),
  "payment-mismatch": (content, { product }) => ({
    subject: content.isRefunded ? `We've refunded your ${product} payment` : `We'll refund your ${product} payment`,
    heading: content.isRefunded ? `We've refunded ${content.amount}` : `We'll refund ${content.amount}`,
    before: [
      `You paid ${content.amount} for ${content.what}, and that isn't what we'd shown you (${content.asked}). It was our mistake.`,
      content.isRefunded
        ? `So we've sent your payment back to the payment method you used. ${whenItShows}`
        : "We couldn't send your payment back automatically. We'll do it by hand; please don't pay again until then.",
      content.isChange
        ? `Your plan ${content.endsOn === null ? "has ended" : `ends on ${content.endsOn}`}. You won't be charged again.`
        : "Your plan hasn't started, and you won't be charged again.",
    ],
    ...itemised(content),
    after: content.isRefunded ? ["You can choose a plan again on your plan page."] : [],
    reason: order,
  }),
  "friend-discount": (content, { product }) => ({
    subject: `We've refunded your ${product} friend discount`,
    heading: `We've refunded ${content.amount}`,
    before: [
      `It's the friend discount on your first payment for ${content.what}, and goes to the payment method you used.`,
      `${whenItShows} Your plan isn't affected.`,
    ],
    ...credited(content),
    reason: order,
  }),
  "dispute-opened": (content, { product }) => ({
    subject: `You've disputed a ${product} payment`,
    heading: "You've disputed a payment",
    before: [
      `Your bank has told us that you've disputed the payment of ${content.amount} for ${content.what}.`,
      `It will look into the payment and decide, which can take months. ${content.pausesPlan ? "Until then, a plan that it paid for is paused, and you aren't charged." : "Nothing changes for you until then."}`,
    ],
    button: see(content.url),
    after: [
      "If you recognise the payment after all, tell your bank. If something is wrong, contact us: a refund is quicker.",
    ],
    reason: order,
  }),
  "dispute-won": (content, { product }) => ({
    subject: `Your bank has confirmed a ${product} payment`,
    heading: "Your bank has confirmed the payment",
    before: [
      `Your bank has looked into the payment of ${content.amount} for ${content.what} and decided in our favour.`,
      ...(content.wasReturned ? ["It had returned the amount to you before, and is now taking that back."] : []),
    ],
    button: see(content.url),
    after: ["If you still think something is wrong, contact us."],
    reason: order,
  }),
  "dispute-lost": (content, { product }) => ({
    subject: `Your bank has returned a ${product} payment`,
    heading: "Your bank has returned the payment",
    before: [
      `Your bank has returned ${content.amount} for ${content.what} to you.`,
      ...(content.planEnded ? ["The plan it paid for has ended."] : []),
    ],
    ...credited(content),
    reason: order,
  }),
  "credit-note": (content, { product }) => ({
    subject: `Your ${product} credit note`,
    ...sayCreditNote(content),
    ...credited(content),
    reason: order,
  }),
};

const names: EmailNames<OrderEmail> = {
  receipt: "Invoice",
  "receipt-copy": "Copy of an invoice",
  "payment-processing": "Payment processing",
  "payment-arrived": "Payment received",
  "payment-failed": "Payment failed",
  "payment-action": "Confirm a payment",
  refund: "Refund",
  "payment-mismatch": "Payment refunded",
  "friend-discount": "Friend's discount",
  "dispute-opened": "Payment disputed",
  "dispute-won": "Dispute decided",
  "dispute-lost": "Dispute decided",
  "credit-note": "Credit note",
};

export const orderEmails: EmailsOf<OrderEmail> = { en };
export const orderEmailNames: Messages<EmailNames<OrderEmail>> = { en: names };
