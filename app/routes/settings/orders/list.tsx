import { href } from "react-router";
import { type ListedOrder, ordersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { EmptyState } from "#app/ui/components/feedback/empty-state.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { OrderStateChip } from "./state.tsx";
import { ordersMessages, orderStateMessages } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

export function OrdersList({ page }: { page: OrdersPageData }) {
  const messages = useMessages(ordersMessages);
  return (
    <div className="card">
      <OrdersTable caption={messages.title} orders={page.orders} page={page} />
    </div>
  );
}

type OrdersTableProps = { caption: string; orders: ListedOrder[]; page: OrdersPageData };

export function OrdersTable({ caption, orders, page }: OrdersTableProps) {
  const messages = useMessages(ordersMessages);
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: "what", label: messages.columns.what },
        { key: "date", label: messages.columns.date, bare: true },
        { key: "number", label: messages.columns.number, bare: true, wideOnly: true },
        { key: "state", label: messages.columns.state, bare: true },
        { key: "amount", label: messages.columns.amount, align: "end" },
      ]}
      rows={orders.map((order) => ({
        id: order.id,
        to: href("/settings/orders/:order", { order: order.id }),
        cells: cellsOf(order, page, messages),
      }))}
    />
  );
}

function cellsOf(order: ListedOrder, page: OrdersPageData, messages: (typeof ordersMessages)["en"]) {
  const { locale, timeZone } = page.reader;
  const number = orderNumber(order);
  return {
    what: (
      <>
        {messages.what(order.kind, page.planNames[order.planId] ?? "")}
        {/* Without their numbers, the links to renewals would all read the same. */}
        {number && <span className="visually-hidden">{messages.numbered(number)}</span>}
      </>
    ),
    date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} style="short" />,
    number: <span className="figures">{number ?? messages.noNumber}</span>,
    state: <OrderStateChip order={order} />,
    amount: <Money value={order} locale={locale} />,
  };
}

/** No order matches the filter, or the page is past the last one: says so and links back to all orders. */
export function NothingFits({ page }: { page: OrdersPageData }) {
  const { nothing } = useMessages(ordersMessages);
  const { states } = useMessages(orderStateMessages);
  const { year, state, after } = page.input;
  const isFiltered = year !== null || state !== null;
  return (
    <EmptyState
      title={nothing.title}
      action={<LinkButton to={href("/settings/orders")}>{isFiltered ? nothing.all : nothing.newest}</LinkButton>}
    >
      {after === null ? nothing.text(year, state && states[state]) : nothing.older}
    </EmptyState>
  );
}

export function NoOrders({ page }: { page: OrdersPageData }) {
  const { empty } = useMessages(ordersMessages);
  const action = !page.isClosed && <LinkButton to={href("/settings/upgrade")}>{empty.link}</LinkButton>;
  return (
    <EmptyState title={empty.title} action={action}>
      {empty.text}
    </EmptyState>
  );
}

export function OrdersPaging({ page }: { page: OrdersPageData }) {
  const messages = useMessages(ordersMessages);
  const { input, next } = page;
  if (input.after === null && next === null) return null;
  const to = (after: typeof next) => `${href("/settings/orders")}${ordersQuery(input, { after })}`;
  return (
    <div className="row no-print">
      {input.after !== null && <LinkButton to={to(null)}>{messages.newest}</LinkButton>}
      {next !== null && <LinkButton to={to(next)}>{messages.older}</LinkButton>}
    </div>
  );
}
