import type { Messages } from "#app/core/messages.ts";

/** What a withdrawal covers and what became of it. The server chooses the texts. */
const en = {
  covers: (orders: string) =>
    `The withdrawal covers orders ${orders}, because plan changes and later payments belong to the same contract.`,
  back: (amount: string, credit: string | null) =>
    `We'll refund ${amount}${credit ? ` and give back ${credit} of credit` : ""}, and end your plan if it's still active.`,
  /** `by` is the day until which a refund is due. */
  declared: {
    open: (day: string, by: string, support: string) =>
      `You withdrew from this contract on ${day}. We'll refund you by ${by}, or email you to explain why we can't. If you didn't send this withdrawal, email ${support}.`,
    byAnyone: (day: string, by: string, support: string) =>
      `On ${day}, someone who wasn't signed in sent a withdrawal from this contract. Nothing changes until we've checked it, and we'll email you the outcome by ${by}. If it wasn't you, email ${support}.`,
    settled: (day: string, amount: string) =>
      `You withdrew from this contract on ${day}. We accepted your withdrawal and refunded ${amount}.`,
    contested: (day: string, reason: string | null) =>
      `You sent a withdrawal from this contract on ${day}. We couldn't accept it.${reason ? ` ${reason}${/[.!?]$/.test(reason) ? "" : "."}` : ""} If you think we're wrong, reply to our email about it.`,
  },
};

export const orderWithdrawalMessages: Messages<typeof en> = { en };
