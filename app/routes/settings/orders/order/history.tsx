import type { Account } from "#app/modules/accounts/rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { Timeline } from "#app/ui/components/data/timeline.tsx";
import { orderDetailMessages } from "./messages.ts";
import type { OrderPageData } from "./page-data.ts";

type OrderHistoryProps = { history: OrderPageData["history"]; reader: Pick<Account, "locale" | "timeZone"> };

export function OrderHistory({ history, reader: { locale, timeZone } }: OrderHistoryProps) {
  const messages = useMessages(orderDetailMessages);
  if (history.length === 0) return null;
  const items = history.map(({ what, at }) => ({
    what,
    when: <Moment at={at} timeZone={timeZone} locale={locale} style="date-time" />,
  }));
  return (
    <SectionCard title={messages.timeline}>
      <Timeline label={messages.timeline} items={items} />
    </SectionCard>
  );
}
