import type { Messages } from "#app/core/messages.ts";
import type { CancellationKind } from "#app/modules/cancellations/cancellations.rules.ts";

const kinds: Record<CancellationKind, string> = {
  ordinary: "Ordinary cancellation",
  extraordinary: "Extraordinary cancellation, for good cause",
};

const en = {
  title: "Cancel contracts here",
  form: {
    lead: "End a paid plan without signing in. We confirm what you send us by email, with its date and time.",
    kind: "Kind of cancellation",
    kinds: [
      {
        value: "ordinary",
        title: kinds.ordinary,
        detail: "Needs no reason. The plan ends with the period you've paid for.",
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
    orderHint: "It's on each receipt, for example 2026-000041. If you don't have it, enter the plan's name.",
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
    lead: (address: string | null) =>
      `We're emailing a confirmation to ${address ?? "the address you entered"}. It says what we received, and when.`,
    next: "If the order belongs to an account with that address, the plan ends with the period that's paid for, and we email when. If we can't tell which contract you mean, one of us looks for it and answers you.",
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
  /** For the signed-in owner of a plan that ends in a later period. */
  waiting: {
    title: "Your plan is going to end",
    text: (day: string, on: string) =>
      `On ${on}, you asked us to end it on ${day}. It ends with the paid period in which that day is.`,
    keep: "Keep my plan",
    pending: "One moment",
  },
  problems: {
    "kind-missing": "Choose the kind of cancellation.",
    "cause-missing": "Enter the reason for the extraordinary cancellation.",
    "cause-malformed": "Enter the reason without invisible characters.",
    "cause-too-long": "Enter a reason of up to 1,000 characters.",
    "name-missing": "Enter your name.",
    "name-too-long": "Enter a name of up to 80 characters.",
    "name-malformed": "Enter your name using letters only, with a space after any full stop.",
    "order-missing": "Enter the contract or order number.",
    "order-malformed": "Enter the number from your receipt, like 2026-000041, or the plan's name.",
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
    "ends-on-malformed": "Enter a date like 2027-06-30, or leave it empty.",
  },
};

export const cancelMessages: Messages<typeof en> = { en };
