import { formatMoney } from "#app/core/money/money.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { isCoveredByCredit } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { HistoryEvent } from "#app/modules/billing/history/history.rules.ts";
import { orderHistoryMessages, type OrderHistoryTexts } from "./messages.ts";

/** Charges, attempts, refunds, disputes and emails in chronological order, without those that customers already know of. */
export function sayHistory(order: Order, historyEvents: readonly HistoryEvent[], { locale }: { locale: string }) {
  const amount = (amountMinor: number, currency = order.currency) => formatMoney({ amountMinor, currency }, locale);
  return historyEvents.flatMap((historyEvent) => {
    const what = say(orderHistoryMessages.en, historyEvent, order, amount);
    return what === null ? [] : [{ what, at: historyEvent.at }];
  });
}

function say(
  messages: OrderHistoryTexts,
  historyEvent: HistoryEvent,
  order: Order,
  amount: (amountMinor: number, currency?: string) => string,
): string | null {
  switch (historyEvent.kind) {
    case "state": {
      if (historyEvent.state === "paid" && isCoveredByCredit(order)) return messages.paidByCredit;
      if (historyEvent.state === "paid" && order.amountMinor === 0) return messages.paidNothing[order.kind];
      if (historyEvent.state === "failed") return messages.declined(historyEvent.tryNumber);
      const texts = messages.states[historyEvent.state];
      const what = typeof texts === "string" ? texts : texts[order.kind];
      return what && messages.again(what, historyEvent.tryNumber);
    }
    case "money":
      return messages.money[historyEvent.event](amount(historyEvent.amountMinor));
    case "mismatch":
      return messages.mismatch(amount(historyEvent.asked.amountMinor, historyEvent.asked.currency));
    case "emailed":
      return messages.emailed[historyEvent.about];
    case "withdrawal":
      return messages.withdrawal[historyEvent.declaredBy];
  }
}
