import type { OrderEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

const order = "You're receiving this email because of an order on your account.";
const see = (url: string) => ({ label: "See my order", url });
const moneyBack = {
  refund: "Refunded on",
  "friend-discount": "Friend discount refunded on",
  return: "Returned by your bank on",
};
const fullReceipt = "Open your order for the full receipt, itemised with tax and ready to print.";
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
    subject: `Your ${product} receipt`,
    heading: "Thank you for your payment",
    before: [`We've received ${content.amount} for ${content.what}.`],
    button: see(content.url),
    after: [fullReceipt],
    more: wayOut(content),
    reason: order,
  }),
  "receipt-copy": (content, { product }) => ({
    subject: `Your ${product} receipt`,
    heading: `Receipt ${content.number}`.trim(),
    before: [
      `${content.amount} for ${content.what}, paid on ${content.paid}.`,
      ...content.backs.map(({ what, on, amount }) => `${moneyBack[what]} ${on}: ${amount}.`),
      ...(content.left === null ? [] : [`Amount remaining: ${content.left}.`]),
    ],
    button: see(content.url),
    after: [fullReceipt],
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
    subject: `Your ${product} receipt: your payment has arrived`,
    heading: "Your payment has arrived",
    before: [`We've received ${content.amount} for ${content.what}, and your plan is active.`],
    button: see(content.url),
    after: [fullReceipt],
    more: wayOut(content),
    reason: order,
  }),
  "payment-failed": (content, { product }) => ({
    subject: `Your ${product} payment failed`,
    heading: "Your payment failed",
    before: [
      `Your payment of ${content.amount} for ${content.what} didn't go through, so you haven't been charged.`,
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
    subject: `Your ${product} refund is on its way`,
    heading: "Your refund is on its way",
    before: [
      `We've refunded ${content.amount} for ${content.what} to the payment method you used.`,
      whenItShows,
      ...(content.planEnded
        ? [
            "Your plan has ended with the refund. If you had changed plans, any further refund comes in a separate email.",
          ]
        : []),
    ],
    button: see(content.url),
    after: [],
    reason: order,
  }),
  "friend-discount": (content, { product }) => ({
    subject: `Your ${product} friend discount is on its way`,
    heading: "Your friend discount is on its way",
    before: [
      `We've refunded ${content.amount} of your first payment for ${content.what} to the payment method you used.`,
      `${whenItShows} Your plan isn't affected.`,
    ],
    button: see(content.url),
    after: [],
    reason: order,
  }),
  "friend-discount-review": (content, { product }) => ({
    subject: `We're checking your ${product} friend discount`,
    heading: "We're checking your friend discount",
    before: [
      `Your payment has arrived and your plan is active. We need to check your discount of ${content.amount} before we pay it.`,
      content.why === "payment-method"
        ? "The discount is for new customers, once per payment method. Stripe doesn't tell us enough about yours to know that it's new."
        : content.why === "domain"
          ? "The discount is for new customers, once per mailbox. One person can have many addresses at your email address's domain, so we can't tell yet that you're new."
          : "Stripe didn't accept the refund. We're finding out why.",
    ],
    button: see(content.url),
    after: ["There's nothing you need to do. We'll email you when we've decided, and you'll see it in your order."],
    reason: order,
  }),
  "friend-discount-refused": (content, { product }) => ({
    subject: `About your ${product} friend discount`,
    heading: "No friend discount for this order",
    before: [
      content.why === "known-mailbox"
        ? `The discount of ${content.amount} is for new customers, and another account has used your mailbox before.`
        : content.why === "known-method"
          ? `The discount of ${content.amount} is for new customers, and another account has paid with your payment method before.`
          : `We've checked, and your order doesn't qualify for the discount of ${content.amount}.`,
      "Your order and your plan aren't affected.",
    ],
    button: see(content.url),
    after: [
      "If you think this is wrong, contact us. You can also withdraw from the contract until the date on your receipt.",
    ],
    reason: order,
  }),
  "dispute-opened": (content, { product }) => ({
    subject: `Your bank is disputing a ${product} payment`,
    heading: "A payment is being disputed",
    before: [
      `Your bank has told us that you dispute the payment of ${content.amount} for ${content.what}.`,
      "It will look into the payment and decide, which can take months. Nothing changes for you until then.",
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
      `Your bank has looked into the payment of ${content.amount} for ${content.what} and decided that it was right.`,
    ],
    button: see(content.url),
    after: ["Nothing changes for you. If you still think something is wrong, contact us."],
    reason: order,
  }),
  "dispute-lost": (content, { product }) => ({
    subject: `Your bank has returned a ${product} payment`,
    heading: "Your bank has returned the payment",
    before: [`Your bank has returned ${content.amount} for ${content.what} to you.`, "What it paid for has ended."],
    button: see(content.url),
    after: [],
    reason: order,
  }),
};

export const orderEmails: EmailsOf<OrderEmail> = { en };
