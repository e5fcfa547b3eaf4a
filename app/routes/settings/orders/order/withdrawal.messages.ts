import type { Messages } from "#app/core/messages.ts";

/** What a withdrawal would cover. Chosen on the server. */
const en = {
  covers: (orders: string) =>
    `The withdrawal covers orders ${orders}, because plan changes and later payments belong to the same contract.`,
  back: (amount: string, credit: string | null) =>
    `We'll refund ${amount}${credit ? ` and give back ${credit} of credit` : ""}, and your plan ends.`,
};

export const orderWithdrawalMessages: Messages<typeof en> = { en };
