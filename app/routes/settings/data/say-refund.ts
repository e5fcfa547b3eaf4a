import { accountClosingMessages } from "./closing.messages.ts";

type Back = {
  /** What comes back of a year that could be ended with notice, and the end of that notice. Null if nothing does. */
  refund: { amount: string; until: string } | null;
  /** The last day on which the customer can withdraw from the plan's contract. Null if they can't. */
  withdrawUntil: string | null;
};

/** What of the plan comes back if the account is closed. */
export function sayRefund({ refund, withdrawUntil }: Back): string {
  const { close: messages } = accountClosingMessages.en;
  if (refund === null) return withdrawUntil === null ? messages.noRefund : messages.refundUntil(withdrawUntil);
  const rest = messages.refund(refund);
  return withdrawUntil === null ? rest : `${rest} ${messages.withdrawUntil(withdrawUntil)}`;
}
