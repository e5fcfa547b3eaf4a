import { formatMoney } from "#app/core/money/money.ts";
import type { WithdrawalOffer } from "#app/modules/billing/withdrawals/contract-offer.rules.ts";
import { orderWithdrawalMessages } from "./withdrawal.messages.ts";

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
