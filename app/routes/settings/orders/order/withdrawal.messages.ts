import type { Messages } from "#app/core/messages.ts";

/** What a withdrawal would cover. Chosen on the server. */
const en = {
  covers: (orders: string) =>
    `The withdrawal covers orders ${orders}, because plan changes and later payments belong to the same contract.`,
  back: (amount: string, credit: string | null) =>
    `We'll refund ${amount}${credit ? ` and give back ${credit} of credit` : ""}, and your plan ends.`,
  /** `by`: until when a refund is due. */
  declared: {
    open: (day: string, by: string) =>
      `You withdrew from this contract on ${day}. We'll refund you by ${by}, or email you why we can't. If you didn't send it, contact us.`,
    byAnyone: (day: string) =>
      `On ${day}, someone who wasn't signed in withdrew from this contract. If it was you, you don't have to send it again, and we'll email you the outcome. If it wasn't, contact us. Nothing changes until we've checked.`,
    settled: (day: string) => `You withdrew from this contract on ${day}. We accepted it and refunded you.`,
    contested: (day: string, reason: string | null) =>
      `You withdrew from this contract on ${day}. We couldn't accept it.${reason ? ` Reason: ${reason}${/[.!?]$/.test(reason) ? "" : "."}` : ""} If you think we're wrong, reply to the email about it.`,
  },
};

export const orderWithdrawalMessages: Messages<typeof en> = { en };
