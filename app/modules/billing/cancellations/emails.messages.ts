import type { Messages } from "#app/core/messages.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

export type CancellationEmail =
  /** A contract was cancelled on `/cancel`; to the address that was entered, and the same whether there is such a contract or not. */
  | {
      template: "cancellation-received";
      declared: string;
      kind: "ordinary" | "extraordinary";
      /** In our own spelling. Null if what was entered is no order number. */
      order: string | null;
      /** The day on which it is wanted to end. Null if that is as early as possible. */
      endsOn: string | null;
    }
  /**
   * It matched, and no other email says what came of it; to the account's own address. `planned`: the plan ends with the period in which
   * `day` is, or, if that is null, as soon as Stripe answers; `already`: it was cancelled before, and ends on `day`.
   */
  | {
      template: "cancellation-outcome";
      outcome: "planned" | "already" | "no-plan";
      what: string | null;
      declared: string;
      /** Whether its owner was signed in. */
      isSignedIn: boolean;
      day: string | null;
      /** Where the plan can be kept. */
      url?: string;
    }
  /** An operator closed it; `answer` is the operator's. */
  | { template: "cancellation-answered"; declared: string; answer: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    cancellations: CancellationEmail;
  }
}

function sayOutcome({ outcome, day }: Extract<CancellationEmail, { template: "cancellation-outcome" }>): string {
  if (outcome === "no-plan") return "No paid plan is active, so nothing is charged any more.";
  if (outcome === "already") return `It had been cancelled before, and ends${day === null ? "" : ` on ${day}`}.`;
  if (day === null) return "It ends as early as the contract allows. We'll email you when.";
  return `It ends on ${day} at the earliest, and with the period that is paid then at the latest. Until then, it renews and everything stays as it is.`;
}

const en: EmailTextFor<CancellationEmail> = {
  "cancellation-received": (content, { product, support }) => ({
    subject: `We've received your ${product} cancellation`,
    heading: "We've received your cancellation",
    before: [
      `On ${content.declared}, we received ${content.kind === "extraordinary" ? "an extraordinary cancellation, for good cause," : "a cancellation"} of ${content.order === null ? `a ${product} contract` : `the ${product} contract of order ${content.order}`} with this email address, to take effect ${content.endsOn === null ? "as early as possible" : `on ${content.endsOn}`}.`,
      `If the order belongs to an account with this email address, the plan ends as early as the contract allows, and not before the chosen day. You'll get another email that says when. If we can't tell which contract is meant, one of us looks for it and answers you.${content.kind === "extraordinary" ? " One of us also reads your reason." : ""}`,
    ],
    after: [
      "Keep this email: it confirms what was declared, and when.",
      `If it wasn't you, or you've changed your mind, sign in and keep your plan: you can until it ends. Or contact us at ${support}.`,
    ],
    reason: "You're receiving this email because a contract was cancelled with this email address.",
  }),
  "cancellation-outcome": (content, { product }) => ({
    subject: `About the cancellation of your ${product} contract`,
    heading: content.what === null ? "About your cancellation" : `About the cancellation of ${content.what}`,
    before: [
      `On ${content.declared}, a contract of your account was cancelled ${content.isSignedIn ? "from your account" : "with your email address and an order number, without signing in"}.`,
      sayOutcome(content),
      ...(content.url === undefined ? [] : ["If it wasn't you, or you've changed your mind, you can keep your plan:"]),
    ],
    ...(content.url !== undefined && { button: { label: "Keep my plan", url: content.url } }),
    after: [],
    reason: "You're receiving this email because a contract of your account was cancelled.",
  }),
  "cancellation-answered": (content, { product }) => ({
    subject: `Our answer to your ${product} cancellation`,
    heading: "Our answer to your cancellation",
    before: [
      `On ${content.declared}, a ${product} contract was cancelled with this email address.`,
      `Our answer: ${content.answer}`,
    ],
    after: ["If you think this is wrong, or you can tell us more, reply to this email."],
    reason: "You're receiving this email because a contract was cancelled with this email address.",
  }),
};

const names: EmailNames<CancellationEmail> = {
  "cancellation-received": "Cancellation received",
  "cancellation-outcome": "About your cancellation",
  "cancellation-answered": "Answer to your cancellation",
};

export const cancellationEmails: EmailsOf<CancellationEmail> = { en };
export const cancellationEmailNames: Messages<EmailNames<CancellationEmail>> = { en: names };
