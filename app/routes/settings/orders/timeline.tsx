import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { isCoveredByCredit } from "#app/modules/plan-changes/amount-breakdown.rules.ts";
import type { TimelineEntry } from "#app/modules/order-history/timeline.rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Timeline } from "#app/ui/components/data/timeline.tsx";
import { type OrderDetailTexts, orderDetailMessages } from "./detail.messages.ts";

type OrderTimelineProps = { order: Order; timeline: TimelineEntry[]; reader: Pick<Account, "locale" | "timeZone"> };

/** Charges, attempts, refunds, disputes and emails in chronological order. */
export function OrderTimeline({ order, timeline, reader }: OrderTimelineProps) {
  const messages = useMessages(orderDetailMessages);
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency: order.currency }, reader.locale);
  return (
    <Timeline
      label={messages.timeline}
      items={timeline.map((moment) => ({
        what: say(messages.entries, moment, order, amount),
        when: <Moment at={moment.at} timeZone={reader.timeZone} locale={reader.locale} style="date-time" />,
      }))}
    />
  );
}

function say(
  messages: OrderDetailTexts["entries"],
  moment: TimelineEntry,
  order: Order,
  amount: (amountMinor: number) => string,
): string {
  switch (moment.kind) {
    case "state": {
      if (moment.state === "paid" && isCoveredByCredit(order)) return messages.paidByCredit;
      const what = messages.states[moment.state];
      return messages.again(typeof what === "string" ? what : what[order.kind], moment.tryNumber);
    }
    case "money":
      return messages.money[moment.event](amount(moment.amountMinor));
    case "mailed":
      return messages.mailed[moment.about];
    case "withdrawal":
      return messages.withdrawal;
  }
}
