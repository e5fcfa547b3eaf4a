import { formatMoney } from "#app/core/money/money.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { formatRefundDay } from "#app/modules/billing/withdrawals/format-refund-day.rules.ts";
import type { Declared } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { orderWithdrawalMessages } from "./withdrawal.messages.ts";

export function sayDeclared(
  declared: Declaration,
  order: Pick<Order, "refundedMinor" | "currency">,
  reader: Reader,
  { timeZone, support }: Pick<ProductConfig, "timeZone" | "support">,
): string {
  const { declared: messages } = orderWithdrawalMessages.en;
  const { declaredAt, state, declaredBy, contestReason } = declared;
  const day = formatDay(declaredAt, reader);
  if (state === "refunded")
    return messages.settled(day, formatMoney({ ...order, amountMinor: order.refundedMinor }, reader.locale));
  if (state === "contested") return messages.contested(day, contestReason);
  if (declaredBy === "anyone")
    return messages.byAnyone(day, formatRefundDay(declaredAt, { timeZone }, reader), support);
  return messages.open(day, formatRefundDay(declaredAt, { timeZone }, reader), support);
}

type Declaration = Pick<Declared, "declaredAt" | "declaredBy"> & { state: string; contestReason: string | null };
