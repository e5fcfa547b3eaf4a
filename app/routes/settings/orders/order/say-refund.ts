import { formatMoney } from "#app/core/money/money.ts";
import type { WithdrawalOffer } from "#app/modules/billing/withdrawals/contract-offer.rules.ts";
import { orderWithdrawalMessages } from "./messages.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { formatRefundDay } from "#app/modules/billing/withdrawals/format-refund-day.rules.ts";
import type { Declared } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";

/** A change of plan belongs to the same contract, so this lists all of the contract's orders, with the amount refunded. */
export function sayRefund(offer: WithdrawalOffer, { currency }: { currency: string }, locale: string): string {
  const { en: messages } = orderWithdrawalMessages;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const names = offer.orders.map(({ number }) => number ?? "");
  return [
    ...(names.length > 1 ? [messages.covers(new Intl.ListFormat("en", { type: "conjunction" }).format(names))] : []),
    messages.back(money(offer.totalMinor), offer.creditMinor > 0 ? money(offer.creditMinor) : null),
  ].join(" ");
}

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
