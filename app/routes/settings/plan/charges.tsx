import { Link, href } from "react-router";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { OrderStateChip } from "../orders/state.tsx";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** The active plan's charges, newest first. */
export function Charges({ page }: { page: RunningPage }) {
  const { charges: messages } = useMessages(planMessages);
  const { locale, timeZone } = page.account;
  return (
    <SectionCard title={messages.title} footer={<Link to={href("/settings/orders")}>{messages.all}</Link>}>
      <DataTable
        caption={messages.title}
        columns={[
          { key: "what", label: messages.columns.what },
          { key: "date", label: messages.columns.date, bare: true },
          { key: "state", label: messages.columns.state, bare: true },
          { key: "amount", label: messages.columns.amount, align: "end" },
          { key: "open", label: messages.columns.open, align: "end" },
        ]}
        rows={page.charges.map((order) => ({
          id: order.id,
          cells: {
            what: messages.what(order.kind, page.planNames[order.planId] ?? ""),
            date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} />,
            state: <OrderStateChip order={order} />,
            amount: <Money value={order} locale={locale} />,
            open: <Link to={`${href("/settings/orders")}?order=${order.id}`}>{messages.open}</Link>,
          },
        }))}
      />
    </SectionCard>
  );
}
