import { href } from "react-router";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { OrderStateChip } from "../orders/state.tsx";
import { latestOrdersMessages } from "./messages.ts";
import type { PlanPageFacts } from "./page-data.ts";

export function LatestOrders({ page }: { page: PlanPageFacts }) {
  const messages = useMessages(latestOrdersMessages);
  const { locale, timeZone } = page.reader;
  return (
    <SectionCard title={messages.title} footer={<Link to={href("/settings/orders")}>{messages.all}</Link>}>
      <DataTable
        caption={messages.title}
        columns={[
          { key: "what", label: messages.columns.what },
          { key: "date", label: messages.columns.date, bare: true },
          { key: "state", label: messages.columns.state, bare: true },
          { key: "amount", label: messages.columns.amount, align: "end" },
        ]}
        rows={page.orders.map((order) => ({
          id: order.id,
          to: href("/settings/orders/:order", { order: order.id }),
          cells: {
            what: (
              <>
                {messages.what(order.kind, page.planNames[order.planId] ?? "")}
                <HiddenNumber order={order} />
              </>
            ),
            date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} style="short" />,
            state: <OrderStateChip order={order} />,
            amount: <Money value={order} locale={locale} />,
          },
        }))}
      />
    </SectionCard>
  );
}

/** Without their numbers, the links to renewals would all read the same. */
function HiddenNumber({ order }: { order: PlanPageFacts["orders"][number] }) {
  const messages = useMessages(latestOrdersMessages);
  const number = orderNumber(order);
  return number && <span className="visually-hidden">{messages.numbered(number)}</span>;
}
