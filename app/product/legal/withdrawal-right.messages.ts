import type { Messages } from "#app/core/messages.ts";
import { refundWithinDays } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { LegalFacts, LegalSection } from "./legal-text.ts";

/**
 * The wording of Directive 2011/83/EU, Annex I, as amended by Directive (EU) 2023/2673 for the online function: a seller who uses it has
 * informed consumers correctly.
 */
function en({ seller, support, withdrawalDays }: LegalFacts): LegalSection[] {
  const title = "Right of withdrawal";
  if (withdrawalDays === "off") return [{ title, text: ["There is no withdrawal period for this product."] }];
  const us = [seller.name, ...seller.address, support].join(", ");
  return [
    {
      title,
      text: [
        `You have the right to withdraw from this contract within ${withdrawalDays} days without giving any reason. The withdrawal period will expire after ${withdrawalDays} days from the day of the conclusion of the contract, which is the day your payment arrives. The ${withdrawalDays} days start again when you change your plan.`,
        `To exercise the right of withdrawal, you must inform us (${us}) of your decision to withdraw from this contract by an unequivocal statement (e.g. a letter sent by post or email). You may use the model withdrawal form below, but it is not obligatory.`,
        "You may also exercise your right of withdrawal online, on the page “Withdraw from a contract”, which you can open from the footer of every page. If you use this online function, we will send you an acknowledgement of receipt by email without undue delay, including the content of your withdrawal statement and the date and time of its submission.",
        "To meet the withdrawal deadline, it is sufficient for you to send your communication concerning your exercise of the right of withdrawal before the withdrawal period has expired.",
      ],
    },
    {
      title: "Effects of withdrawal",
      text: [
        `If you withdraw from this contract, we shall reimburse to you all payments received from you, without undue delay and in any event not later than ${refundWithinDays} days from the day on which we are informed about your decision to withdraw from this contract. We will carry out such reimbursement using the same means of payment as you used for the initial transaction, unless you have expressly agreed otherwise; in any event, you will not incur any fees as a result of such reimbursement.`,
        "Changing your plan doesn't begin a new contract. If you withdraw after a change, your plan ends and we refund every order of the contract: in full if it is within the withdrawal period, and otherwise for the time that was left when you changed your plan.",
      ],
    },
    {
      title: "Model withdrawal form",
      text: [
        "Complete and return this form only if you wish to withdraw from the contract.",
        `To ${us}:`,
        [
          "I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract for the provision of the following service (*):",
          "Ordered on (*) / received on (*):",
          "Name of consumer(s):",
          "Address of consumer(s):",
          "Signature of consumer(s) (only if this form is notified on paper):",
          "Date:",
        ],
        "(*) Delete as appropriate.",
      ],
    },
  ];
}

export const withdrawalRightMessages: Messages<typeof en> = { en };
