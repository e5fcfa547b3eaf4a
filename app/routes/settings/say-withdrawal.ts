import type { OrderId } from "#app/core/id.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { overviewPlanMessages } from "./overview/plan.messages.ts";

/** A withdrawal that isn't settled, as the overview and the plan page say it. Chosen on the server, like all that the overview says. */
export function sayWithdrawal({ orderId, declaredAt }: { orderId: OrderId; declaredAt: number }, reader: Reader) {
  const { withdrawal, withdrawalText } = overviewPlanMessages.en;
  return { orderId, declaredAt, label: withdrawal, text: withdrawalText(formatDay(declaredAt, reader)) };
}

export type WithdrawalRow = ReturnType<typeof sayWithdrawal>;
