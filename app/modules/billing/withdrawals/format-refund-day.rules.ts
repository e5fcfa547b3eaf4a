/**
 * Decides which day a withdrawal's page and email name. Invariant: they name the same one. Called from the pages and emails about a
 * withdrawal.
 */
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { refundDueAt } from "./withdrawals.rules.ts";

/** The last day on which a withdrawal declared then is refunded or contested, formatted. */
export function formatRefundDay(declaredAt: number, seller: { timeZone: string }, reader: Reader): string {
  const dueAt = refundDueAt({ state: "declared", declaredAt }, seller) ?? declaredAt;
  // `dueAt` is the start of the next day by the seller's calendar. Elsewhere it may be another day, but the seller's is the deadline.
  return formatDay(dueAt - 1, { ...reader, timeZone: seller.timeZone });
}
