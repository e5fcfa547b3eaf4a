import { Link } from "react-router";
import { ordersQuery } from "#app/modules/order-history/browse.rules.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { LinkButton } from "#app/ui/components/button.tsx";
import { DataTable } from "#app/ui/components/data-table.tsx";
import { EmptyState } from "#app/ui/components/empty-state.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { Money } from "#app/ui/components/money.tsx";
import { OrderStateChip } from "./state.tsx";
import { ordersWords } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

export function OrdersList({ page }: { page: OrdersPageData }) {
  const words = useWords(ordersWords);
  return (
    <div className="card no-print" id="orders" tabIndex={-1}>
      <DataTable
        caption={words.title}
        columns={[
          { key: "what", label: words.columns.what },
          { key: "date", label: words.columns.date, bare: true },
          { key: "number", label: words.columns.number, bare: true },
          { key: "state", label: words.columns.state, bare: true },
          { key: "amount", label: words.columns.amount, align: "end" },
          { key: "open", label: words.columns.open, align: "end" },
        ]}
        rows={page.orders.map((order) => ({
          id: order.id,
          current: order.id === page.detail?.order.id,
          cells: cellsOf(order, page, words),
        }))}
      />
    </div>
  );
}

function cellsOf(order: Order, page: OrdersPageData, words: (typeof ordersWords)["en"]) {
  const { locale, timeZone } = page.account;
  const number = orderNumber(order);
  const what = words.what(order.kind, page.planNames[order.planId] ?? "");
  return {
    what,
    date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} />,
    number: <span className="figures">{number ?? words.noNumber}</span>,
    state: <OrderStateChip order={order} />,
    amount: <Money value={order} locale={locale} />,
    open: (
      <Link to={`/settings/orders${ordersQuery(page.wish, { orderId: order.id })}#order`}>
        {words.open}
        <span className="visually-hidden">{words.ofOrder(number ?? what)}</span>
      </Link>
    ),
  };
}

/** A filter that no order fits, or a page past the last one: in words, and the way back to all of them. */
export function NothingFits({ page }: { page: OrdersPageData }) {
  const { nothing } = useWords(ordersWords);
  const { year, state, after } = page.wish;
  const isFiltered = year !== null || state !== null;
  return (
    <EmptyState
      title={nothing.title}
      action={<LinkButton to="/settings/orders">{isFiltered ? nothing.all : nothing.newest}</LinkButton>}
    >
      {after === null ? nothing.text(year, state) : nothing.older}
    </EmptyState>
  );
}

export function NoOrders({ isLeaving }: { isLeaving: boolean }) {
  const { empty } = useWords(ordersWords);
  return (
    <EmptyState title={empty.title} action={!isLeaving && <LinkButton to="/settings/upgrade">{empty.link}</LinkButton>}>
      {empty.text}
    </EmptyState>
  );
}

/** On to older orders, and back to the newest: the filter stays. */
export function OrdersPaging({ page }: { page: OrdersPageData }) {
  const words = useWords(ordersWords);
  const { wish, next } = page;
  if (wish.after === null && next === null) return null;
  const to = (after: typeof next) => `/settings/orders${ordersQuery(wish, { after, orderId: null })}`;
  return (
    <div className="row no-print">
      {wish.after !== null && <LinkButton to={to(null)}>{words.newest}</LinkButton>}
      {next !== null && <LinkButton to={to(next)}>{words.older}</LinkButton>}
    </div>
  );
}
