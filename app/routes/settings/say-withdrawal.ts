import type { OrderId } from "#app/core/id.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { formatRefundDay } from "#app/modules/billing/withdrawals/format-refund-day.rules.ts";
import type { Declared } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { overviewPlanMessages } from "./overview/plan.messages.ts";

/** What the overview and the plan page say about a withdrawal that isn't settled. The server chooses the text. */
export function sayWithdrawal(
  { orderId, declaredAt, declaredBy }: WithdrawalOfOrder,
  reader: Reader,
  seller: { timeZone: string; support: string },
) {
  const { withdrawal, withdrawalLink, withdrawalText, withdrawalByAnyone } = overviewPlanMessages.en;
  const by = formatRefundDay(declaredAt, seller, reader);
  const day = formatDay(declaredAt, reader);
  const text = declaredBy === "anyone" ? withdrawalByAnyone(day, by, seller.support) : withdrawalText(day, by);
  return { orderId, label: withdrawal, text, link: withdrawalLink };
}

type WithdrawalOfOrder = Pick<Declared, "declaredAt" | "declaredBy"> & { orderId: OrderId };

export type WithdrawalRow = ReturnType<typeof sayWithdrawal>;
