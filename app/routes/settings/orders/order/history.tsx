import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { isCoveredByCredit } from "#app/modules/orders/amount-breakdown.rules.ts";
import type { HistoryEvent } from "#app/modules/order-history/history.rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Timeline } from "#app/ui/components/data/timeline.tsx";
import { type OrderDetailTexts, orderDetailMessages } from "./messages.ts";

type OrderHistoryProps = { order: Order; historyEvents: HistoryEvent[]; reader: Pick<Account, "locale" | "timeZone"> };

/** Charges, attempts, refunds, disputes and emails in chronological order. */
export function OrderHistory({ order, historyEvents, reader }: OrderHistoryProps) {
  const messages = useMessages(orderDetailMessages);
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency: order.currency }, reader.locale);
  return (
    <Timeline
      label={messages.timeline}
      items={historyEvents.map((historyEvent) => ({
        what: say(messages.entries, historyEvent, order, amount),
        when: <Moment at={historyEvent.at} timeZone={reader.timeZone} locale={reader.locale} style="date-time" />,
      }))}
    />
  );
}

function say(
  messages: OrderDetailTexts["entries"],
  historyEvent: HistoryEvent,
  order: Order,
  amount: (amountMinor: number) => string,
): string {
  switch (historyEvent.kind) {
    case "state": {
      if (historyEvent.state === "paid" && isCoveredByCredit(order)) return messages.paidByCredit;
      const what = messages.states[historyEvent.state];
      return messages.again(typeof what === "string" ? what : what[order.kind], historyEvent.tryNumber);
    }
    case "money":
      return messages.money[historyEvent.event](amount(historyEvent.amountMinor));
    case "mailed":
      return messages.mailed[historyEvent.about];
    case "withdrawal":
      return messages.withdrawal;
  }
}
