import type { OrderId } from "#app/core/id.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { type Declared, refundDueAt } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { overviewPlanMessages } from "./overview/plan.messages.ts";

/** A withdrawal that isn't settled, as the overview and the plan page say it. Chosen on the server, like all that the overview says. */
export function sayWithdrawal(
  { orderId, declaredAt, declaredBy }: DeclaredWithdrawal,
  reader: Reader,
  seller: { timeZone: string },
) {
  const { withdrawal, withdrawalText, withdrawalByAnyone } = overviewPlanMessages.en;
  const say = declaredBy === "anyone" ? withdrawalByAnyone : withdrawalText;
  const dueAt = refundDueAt({ state: "declared", declaredAt }, seller) ?? declaredAt;
  // The start of the day after the last one.
  const by = formatDay(dueAt - 1, reader);
  return { orderId, label: withdrawal, text: say(formatDay(declaredAt, reader), by) };
}

type DeclaredWithdrawal = Pick<Declared, "declaredAt" | "declaredBy"> & { orderId: OrderId };

export type WithdrawalRow = ReturnType<typeof sayWithdrawal>;
