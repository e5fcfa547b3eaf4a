import { formatSpan } from "#app/core/time/time.ts";
import {
  nameLengthMax,
  refundWithinDays,
  sameDeclarationMs,
} from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Withdraw from a contract",
  form: {
    lead: (days: number) =>
      `You can withdraw within ${days} days of starting or changing a paid plan and get your money back. A renewal doesn't start a new ${days} days. You don't have to give a reason or sign in.`,
    contract: (days: number) =>
      `If your plan is still active, it ends when we refund you. If you've changed plans, we also refund the orders before the change: those of the last ${days} days in full, older ones for their unused time.`,
    name: "Your name",
    order: "Order number",
    orderHint: "It's on your invoice, for example 2026-000041.",
    orderLink: "The link in the email with your invoice fills it in.",
    email: "Email address",
    emailHint: "The address you ordered with. We'll email a confirmation to it immediately.",
    instead: "Only want to stop the renewal?",
    cancel: "Cancel your plan instead",
    submit: "Review withdrawal",
    pending: "One moment",
  },
  review: {
    title: "Review your withdrawal",
    lead: "Nothing has been sent yet.",
    declaration: (name: string, order: string) => `I, ${name}, hereby withdraw from my contract for order ${order}.`,
    name: "Name",
    order: "Order",
    email: "We'll send the confirmation to",
    submit: "Confirm withdrawal",
    submitting: "Sending",
    again: "Edit",
  },
  declared: {
    title: "Withdrawal sent",
    /** `address` is what was entered. Null if that's no longer known. */
    lead: (address: string | null) =>
      `We're emailing a confirmation to ${address ?? "the address you entered"}. Keep that email: it says when we received your withdrawal, or that we found no such order for that address.`,
    /** For an order of the account that is signed in. */
    own: {
      lead: (address: string) =>
        `We're emailing a confirmation to ${address}. It shows what you sent and when. Keep it.`,
      /** `by` is the day until which a refund is due. */
      refund: (by: string) =>
        `We'll refund you by ${by}, or email you to explain why we can't. If your plan is still active, it ends when we refund you.`,
      late: (number: string) =>
        `The withdrawal period of order ${number} is over. We'll check your withdrawal and email you the outcome.`,
      orders: "See your orders",
    },
    before: {
      title: "You've already sent this",
      lead: `You sent the same withdrawal less than ${formatSpan(sameDeclarationMs)} ago. That one counts, and its confirmation is all you need.`,
    },
    next: `If the order is yours and still within the withdrawal period, we'll refund you within ${refundWithinDays} days, and your plan ends with the refund. We'll email you either way.`,
    support: (address: string) => `If you don't get an email, check your spam folder or email ${address}.`,
    start: "Go to the home page",
  },
  /** Also for someone who has sent nothing and opens the address by hand. */
  noCookie: {
    title: "Check your email",
    lead: "If you've just sent a withdrawal here, we've received it. The confirmation comes by email, to the address you entered. Keep that email: it says when we received your withdrawal, or that we found no such order for that address.",
    why: "We show what was sent only to the browser that sent it. We recognise it by a cookie, and this browser didn't keep ours.",
    form: "Go to the form",
  },
  already: {
    title: "You've already withdrawn",
    /** `by` is the day until which it's refunded. Null if it already is. */
    text: (order: string, at: string, by: string | null) =>
      `We received your withdrawal from the contract for order ${order} on ${at}.${by === null ? "" : ` We'll refund you by ${by}, or email you to explain why we can't.`}`,
    link: "See the order",
    another: "Withdraw from another contract",
  },
  problems: {
    "name-missing": "Enter your name.",
    "name-too-long": `Enter a name of up to ${nameLengthMax} characters.`,
    "name-malformed": "Enter your name using letters only, with a space after any full stop.",
    "order-missing": "Enter your order number.",
    "order-malformed": "Enter the order number from your invoice, like 2026-000041.",
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
  },
};

export const withdrawMessages: Messages<typeof en> = { en };
