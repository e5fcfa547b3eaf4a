import type { OrderEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

const order = "You get this mail because of an order on your account.";
const see = (url: string) => ({ label: "See the order", url });
const moneyBack = {
  refund: "Refunded on",
  "friend-discount": "Friend discount refunded on",
  return: "Returned by your bank on",
};
const wayOut = ({ withdrawUntil, withdrawUrl }: { withdrawUntil: string | null; withdrawUrl: string | null }) =>
  withdrawUntil && withdrawUrl
    ? { label: `Until ${withdrawUntil} you can withdraw from this contract without a reason`, url: withdrawUrl }
    : undefined;

const en: EmailTextFor<OrderEmail> = {
  receipt: (content, { product }) => ({
    subject: `Your ${product} receipt`,
    heading: "Thank you, your payment has arrived",
    before: [`${content.what}: ${content.amount}.`],
    button: see(content.url),
    after: ["The order has the lines, the tax and a receipt to print."],
    more: wayOut(content),
    reason: order,
  }),
  "receipt-copy": (content, { product }) => ({
    subject: `Your ${product} receipt`,
    heading: `Receipt ${content.number}`.trim(),
    before: [
      `${content.what}: ${content.amount}, paid on ${content.paid}.`,
      ...content.backs.map(({ what, on, amount }) => `${moneyBack[what]} ${on}: ${amount}.`),
      ...(content.left === null ? [] : [`Left of the payment: ${content.left}.`]),
    ],
    button: see(content.url),
    after: ["The order has the lines, the tax and a receipt to print."],
    more: wayOut(content),
    reason: order,
  }),
  "payment-processing": (content, { product }) => ({
    subject: `Your ${product} payment is on its way`,
    heading: "Your bank is working on it",
    before: [
      `${content.what}: ${content.amount}.`,
      "This way of paying takes a few days. There is nothing more to do, and please don't pay again: we write as soon as the money is here.",
    ],
    button: see(content.url),
    after: [],
    reason: order,
  }),
  "payment-arrived": (content, { product }) => ({
    subject: `Your ${product} payment has arrived, with the receipt`,
    heading: "The money is here",
    before: [`${content.what}: ${content.amount}.`, "Your bank has passed the payment on, and your plan has started."],
    button: see(content.url),
    after: ["The order has the lines, the tax and a receipt to print."],
    more: wayOut(content),
    reason: order,
  }),
  "payment-failed": (content, { product }) => ({
    subject: `Your ${product} payment did not go through`,
    heading: "The payment did not go through",
    before: [
      `${content.what}: ${content.amount}.`,
      "Nothing was charged. You can try again, with the same or another way of paying:",
    ],
    button: { label: "Try again", url: content.url },
    after: [],
    reason: order,
  }),
  "payment-action": (content, { product }) => ({
    subject: `Your ${product} payment is waiting for your confirmation`,
    heading: "Your bank asks you to confirm",
    before: [
      `${content.what}: ${content.amount}.`,
      "Your bank wants to hear from you before it pays. Nothing is charged until you have confirmed it:",
    ],
    button: { label: "Confirm the payment", url: content.url },
    after: ["If you don't want to pay any more, do nothing."],
    reason: order,
  }),
  refund: (content, { product }) => ({
    subject: `Your ${product} payment was refunded`,
    heading: "Your money is on its way back",
    before: [
      `${content.what}: ${content.amount} refunded.`,
      "It goes back the way you paid. Banks take up to ten working days until it shows.",
      ...(content.planEnded
        ? [
            "The plan has ended with it. If you had changed plans, whatever else you get back for it comes with an email of its own.",
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
      `${content.what}: ${content.amount} of your first payment goes back to the payment method you used.`,
      "Banks take up to ten working days until it shows. Your plan stays as it is.",
    ],
    button: see(content.url),
    after: [],
    reason: order,
  }),
  "friend-discount-review": (content, { product }) => ({
    subject: `We're checking your ${product} friend discount`,
    heading: "We're checking your friend discount",
    before: [
      `Your payment has arrived and your plan is active. The discount of ${content.amount} needs a look by a person first.`,
      content.why === "payment-method"
        ? "The discount is for new customers, once per payment method. Stripe doesn't tell us enough about the method you paid with to see that it's new."
        : content.why === "domain"
          ? "The discount is for new customers, once per mailbox. Your email address is at a domain where one person can have many addresses, so we can't tell yet that you're new."
          : "Stripe didn't accept the refund. We're finding out why.",
    ],
    button: see(content.url),
    after: ["You don't have to do anything. We'll email you when it's decided; the order shows it, too."],
    reason: order,
  }),
  "friend-discount-refused": (content, { product }) => ({
    subject: `About your ${product} friend discount`,
    heading: "There is no friend discount for this order",
    before: [
      content.why === "known-mailbox"
        ? `The discount of ${content.amount} is for new customers. Another account has used your mailbox before.`
        : content.why === "known-method"
          ? `The discount of ${content.amount} is for new customers. Another account has paid with the same payment method before.`
          : `We looked at the discount of ${content.amount} and decided that this order doesn't qualify for it.`,
      "Your order and your plan stay as they are.",
    ],
    button: see(content.url),
    after: [
      "If you think this is wrong, write to us. Until the day on your receipt you can also withdraw from the contract.",
    ],
    reason: order,
  }),
  "dispute-opened": (content, { product }) => ({
    subject: `Your bank disputes a ${product} payment`,
    heading: "A payment is disputed",
    before: [
      `${content.what}: ${content.amount}. Your bank tells us that you don't agree with this charge.`,
      "The bank looks at it and decides, which can take months. Until then nothing changes for you.",
    ],
    button: see(content.url),
    after: [
      "If the charge was right after all, tell your bank. If something is wrong, write to us: a refund is quicker.",
    ],
    reason: order,
  }),
  "dispute-won": (content, { product }) => ({
    subject: `Your bank has decided about a ${product} payment`,
    heading: "The payment stands",
    before: [`${content.what}: ${content.amount}. Your bank has looked at the charge and upheld it.`],
    button: see(content.url),
    after: ["Nothing changes for you. If you still think that something is wrong, write to us."],
    reason: order,
  }),
  "dispute-lost": (content, { product }) => ({
    subject: `Your bank has decided about a ${product} payment`,
    heading: "The payment was taken back",
    before: [
      `${content.what}: ${content.amount}. Your bank has given the money back to you.`,
      "What it had paid for has ended.",
    ],
    button: see(content.url),
    after: [],
    reason: order,
  }),
};

export const orderEmails: EmailsOf<OrderEmail> = { en };
