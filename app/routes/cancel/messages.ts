import { numberFormat } from "#app/core/text/formats.ts";
import type { Messages } from "#app/core/messages.ts";
import {
  type CancellationKind,
  causeLengthMax,
  lineLengthMax,
} from "#app/modules/billing/cancellations/cancellations.rules.ts";

const kinds: Record<CancellationKind, string> = {
  ordinary: "Ordinary cancellation",
  extraordinary: "Extraordinary cancellation, for good cause",
};

const en = {
  title: "Cancel contracts here",
  form: {
    lead: "End a paid plan without signing in. We'll email you a confirmation of what you sent, with date and time.",
    kind: "Kind of cancellation",
    kinds: [
      {
        value: "ordinary",
        title: kinds.ordinary,
        detail:
          "Needs no reason. The plan ends with the period you've paid for, or earlier if your contract allows it.",
      },
      {
        value: "extraordinary",
        title: kinds.extraordinary,
        detail: "You have a reason to end it immediately. One of us reads it and answers you.",
      },
    ],
    cause: "Reason",
    causeHint: "Only for an extraordinary cancellation.",
    name: "Your name",
    order: "Contract or order number",
    orderHint: "It's on each invoice, for example 2026-000041. If you don't have it, enter the plan's name.",
    email: "Email address",
    emailHint: "The address of your account. We'll send the confirmation to it.",
    endsOn: "End date (optional)",
    endsOnHint: "Leave it empty to end the contract as early as possible.",
    submit: "Cancel now",
    pending: "Sending",
    withdraw: "Want your money back instead?",
    withdrawLink: "Withdraw from the contract",
    account: "Signed in?",
    accountLink: "Cancel on your plan's page",
  },
  declared: {
    title: "Cancellation received",
    lead: (address: string) => `We're emailing a confirmation to ${address}. It says what we received, and when.`,
    next: "If the order belongs to an account with that address, we end the plan and email you when it ends. If we can't tell which contract you mean, one of us looks for it and answers you.",
    facts: {
      at: "Received",
      kind: "Cancellation",
      cause: "Reason",
      name: "Name",
      order: "Contract or order",
      endsOn: "To end",
      email: "Confirmation to",
    },
    kinds,
    earliest: "As early as possible",
    file: "Save as a file",
    fileName: "cancellation",
    support: (address: string) => `If you don't get an email, check your spam folder or email ${address}.`,
    start: "Go to the home page",
  },
  /** Also for someone who has sent nothing and opens the address by hand. */
  noCookie: {
    title: "Check your email",
    lead: "If you've just sent a cancellation here, we've received it. The confirmation comes by email, to the address you entered. It says what we received, and when.",
    why: "We show what was sent only to the browser that sent it. We recognise it by a cookie, and this browser didn't keep ours.",
    form: "Go to the form",
  },
  /** For the signed-in owner of a plan whose cancellation isn't carried out yet: to a later day, or not at Stripe. */
  waiting: {
    title: "Your plan is going to end",
    text: (day: string, on: string) =>
      `On ${on}, we were asked to end it on ${day}. It ends then at the earliest, and with the period that is paid then at the latest.`,
    textSoon: (on: string) =>
      `On ${on}, we were asked to end it. We'll end it as early as the contract allows, and email you when.`,
    see: "Change your mind",
    keep: "Keep my plan",
    pending: "One moment",
  },
  problems: {
    "kind-missing": "Choose the kind of cancellation.",
    "cause-missing": "Enter the reason for the extraordinary cancellation.",
    "cause-malformed": "Enter the reason without invisible characters.",
    "cause-too-long": `Enter a reason of up to ${numberFormat("en").format(causeLengthMax)} characters.`,
    "name-missing": "Enter your name.",
    "name-too-long": `Enter a name of up to ${lineLengthMax} characters.`,
    "name-malformed": "Enter your name without invisible characters.",
    "order-missing": "Enter the contract or order number.",
    "order-too-long": `Enter the number or name of the contract in up to ${lineLengthMax} characters.`,
    "order-malformed": "Enter the number or name of the contract without invisible characters.",
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
    "ends-on-malformed": "Enter a date like 2027-06-30, or leave it empty.",
  },
};

export const cancelMessages: Messages<typeof en> = { en };
