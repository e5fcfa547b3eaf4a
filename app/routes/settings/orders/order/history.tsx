import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { isCoveredByCredit } from "#app/modules/orders/amount-breakdown.rules.ts";
import type { HistoryEvent } from "#app/modules/order-history/history.rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { Timeline } from "#app/ui/components/data/timeline.tsx";
import { type OrderDetailTexts, orderDetailMessages } from "./messages.ts";

type OrderHistoryProps = { order: Order; historyEvents: HistoryEvent[]; reader: Pick<Account, "locale" | "timeZone"> };

/** Charges, attempts, refunds, disputes and emails in chronological order; nothing without any to show. */
export function OrderHistory({ order, historyEvents, reader }: OrderHistoryProps) {
  const messages = useMessages(orderDetailMessages);
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency: order.currency }, reader.locale);
  const items = historyEvents.flatMap((historyEvent) => {
    const what = say(messages.entries, historyEvent, order, amount);
    const when = <Moment at={historyEvent.at} timeZone={reader.timeZone} locale={reader.locale} style="date-time" />;
    return what === null ? [] : [{ what, when }];
  });
  if (items.length === 0) return null;
  return (
    <SectionCard title={messages.timeline}>
      <Timeline label={messages.timeline} items={items} />
    </SectionCard>
  );
}

function say(
  messages: OrderDetailTexts["entries"],
  historyEvent: HistoryEvent,
  order: Order,
  amount: (amountMinor: number) => string,
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
    case "mailed":
      return messages.mailed[historyEvent.about];
    case "withdrawal":
      return messages.withdrawal;
  }
}
