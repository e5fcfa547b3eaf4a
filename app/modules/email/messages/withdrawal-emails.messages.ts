import type { WithdrawalEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

const en: EmailTextFor<WithdrawalEmail> = {
  "withdrawal-acknowledged": (content, { product }) => ({
    subject: content.by
      ? `We have your withdrawal from the ${product} contract`
      : `We have a withdrawal from your ${product} contract`,
    heading: content.by ? "Your withdrawal has arrived" : "A withdrawal was declared",
    before: [
      content.by
        ? `You declared on ${content.declared} that you withdraw from the contract of order ${content.order}. You gave the name ${content.by.name} and the address ${content.by.email}.`
        : `On ${content.declared} a withdrawal from the contract of order ${content.order} was declared with this address.`,
      "If the plan was changed since, or began with another order, the withdrawal covers all orders of the contract. The plan ends with the refund.",
    ],
    after: ["Keep this mail: it says what was declared, and when. What we do about it comes in a mail of its own."],
    reason:
      "You get this mail because somebody declared a withdrawal with this address. If that wasn't you, write to us.",
  }),
  "withdrawal-contested": (content, { product }) => ({
    subject: `About your withdrawal from the ${product} contract`,
    heading: "We couldn't accept your withdrawal",
    before: [
      content.order
        ? `A withdrawal from the contract of order ${content.order} was declared with this address on ${content.declared}.`
        : `A withdrawal was declared with this address on ${content.declared}. We found no order that it could be about.`,
      `Why we couldn't accept it: ${content.reason}`,
    ],
    ...(content.url && { button: { label: "See the order", url: content.url } }),
    after: ["If you think we're wrong, or if you know more about the order, reply to this email."],
    reason: "You get this mail because a withdrawal was declared with this address.",
  }),
  "withdrawal-unmatched": (content, { product }) => ({
    subject: `A withdrawal from a ${product} contract was declared with your address`,
    heading: "A withdrawal was declared",
    before: [
      `On ${content.declared} somebody declared a withdrawal from a ${product} contract and gave this address.`,
      "We couldn't find an order of this address by the number that they typed.",
    ],
    after: [
      "If it was you, the declaration has arrived. Please declare it again with the order number on your receipt, or sign in first, so that we know which contract you mean. If you can't find the number, write to us.",
      "If it wasn't you, there's nothing to do: your contracts run on.",
    ],
    reason: "You get this mail because somebody typed this address into the form for withdrawals.",
  }),
};

export const withdrawalEmails: EmailsOf<WithdrawalEmail> = { en };
