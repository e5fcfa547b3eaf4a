import { Link } from "react-router";
import { DataTable } from "#app/ui/components/data-table.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { Money } from "#app/ui/components/money.tsx";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { OrderStateChip } from "../orders/state.tsx";
import { planWords } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** What the running plan was charged for, newest first. */
export function Charges({ page }: { page: RunningPage }) {
  const { charges: words } = useWords(planWords);
  const { locale, timeZone } = page.account;
  return (
    <SectionCard title={words.title} footer={<Link to="/settings/orders">{words.all}</Link>}>
      <DataTable
        caption={words.title}
        columns={[
          { key: "what", label: words.columns.what },
          { key: "date", label: words.columns.date, bare: true },
          { key: "state", label: words.columns.state, bare: true },
          { key: "amount", label: words.columns.amount, align: "end" },
          { key: "open", label: words.columns.open, align: "end" },
        ]}
        rows={page.charges.map((order) => ({
          id: order.id,
          cells: {
            what: words.what(order.kind, page.planNames[order.planId] ?? ""),
            date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} />,
            state: <OrderStateChip order={order} />,
            amount: <Money value={order} locale={locale} />,
            open: <Link to={`/settings/orders?order=${order.id}`}>{words.open}</Link>,
          },
        }))}
      />
    </SectionCard>
  );
}
