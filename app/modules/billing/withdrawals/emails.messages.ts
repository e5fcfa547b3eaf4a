import type { Messages } from "#app/core/messages.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

type WithdrawalEmail =
  /** A withdrawal from an order of this address, or by the order's owner. `by` is the name that was entered, for a proven address alone. */
  | {
      template: "withdrawal-acknowledged";
      order: string;
      by: { name: string; email: string } | null;
      declared: string;
      /** Or contested. */
      refundBy: string;
    }
  /** An operator contested a withdrawal. Without `url`, and with `order` null, if no order was identified; `reason` is the operator's. */
  | { template: "withdrawal-contested"; order: string | null; declared: string; reason: string; url?: string }
  /** Any other withdrawal: repeats nothing that was entered. */
  | { template: "withdrawal-unmatched"; declared: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    withdrawals: WithdrawalEmail;
  }
}

/** Someone else's withdrawal may be from an order that was refunded before, so no refund is promised for it. */
const sayOutcome = ({ by, refundBy }: { by: object | null; refundBy: string }) =>
  by
    ? `We'll refund you by ${refundBy}, or email you to explain why we can't.`
    : `We'll email you the outcome by ${refundBy}.`;

const en: EmailTextFor<WithdrawalEmail> = {
  "withdrawal-acknowledged": (content, { product }) => ({
    subject: content.by
      ? `We've received your ${product} withdrawal`
      : `We've received a withdrawal from your ${product} contract`,
    heading: content.by ? "We've received your withdrawal" : "We've received a withdrawal",
    before: [
      content.by
        ? `On ${content.declared}, you sent this from ${content.by.email}: “I, ${content.by.name}, hereby withdraw from my contract for order ${content.order}.”`
        : `On ${content.declared}, someone entered your email address to withdraw from your contract for order ${content.order}.`,
      content.by
        ? "The withdrawal covers all orders of this contract, including earlier ones and plan changes. If your plan is still active, it ends when we refund you."
        : "Nothing changes until we've checked the withdrawal. If it was you, there's nothing more to do. If it wasn't, reply to this email.",
    ],
    after: [`Keep this email: it confirms what was declared, and when. ${sayOutcome(content)}`],
    reason: "You're receiving this email because a withdrawal was declared with this email address.",
  }),
  "withdrawal-contested": (content, { product }) => ({
    subject: `We couldn't accept your ${product} withdrawal`,
    heading: "We couldn't accept your withdrawal",
    before: [
      content.order
        ? `On ${content.declared}, a withdrawal from the contract for order ${content.order} was declared with this email address. We couldn't accept it.`
        : `On ${content.declared}, a withdrawal was declared with this email address. We couldn't find the order it's about.`,
      `The reason: ${content.reason}`,
    ],
    ...(content.url && { button: { label: "See my order", url: content.url } }),
    after: ["If you think this is wrong, or you can tell us more about the order, reply to this email."],
    reason: "You're receiving this email because a withdrawal was declared with this email address.",
  }),
  "withdrawal-unmatched": (content, { product }) => ({
    subject: `We couldn't find the order for your ${product} withdrawal`,
    heading: "We couldn't find the order",
    before: [
      `On ${content.declared}, a withdrawal from a ${product} contract was declared with this email address. It arrived, but we found no order with that number for this address.`,
    ],
    after: [
      "If it was you, please send it again with the order number on your invoice, or sign in first, so that we know which contract you mean. If you can't find the number, contact us.",
      "If it wasn't you, ignore this email: your contracts aren't affected.",
    ],
    reason: "You're receiving this email because this email address was entered in our withdrawal form.",
  }),
};

const names: EmailNames<WithdrawalEmail> = {
  "withdrawal-acknowledged": "Withdrawal received",
  "withdrawal-contested": "Withdrawal not accepted",
  "withdrawal-unmatched": "Withdrawal received",
};

export const withdrawalEmails: EmailsOf<WithdrawalEmail> = { en };
export const withdrawalEmailNames: Messages<EmailNames<WithdrawalEmail>> = { en: names };
