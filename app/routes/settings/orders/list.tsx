import { Link, href } from "react-router";
import { ordersQuery } from "#app/modules/order-history/browse.rules.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { EmptyState } from "#app/ui/components/feedback/empty-state.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { OrderStateChip } from "./state.tsx";
import { ordersMessages } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

export function OrdersList({ page }: { page: OrdersPageData }) {
  const messages = useMessages(ordersMessages);
  return (
    <div className="card no-print" id="orders" tabIndex={-1}>
      <DataTable
        caption={messages.title}
        columns={[
          { key: "what", label: messages.columns.what },
          { key: "date", label: messages.columns.date, bare: true },
          { key: "number", label: messages.columns.number, bare: true },
          { key: "state", label: messages.columns.state, bare: true },
          { key: "amount", label: messages.columns.amount, align: "end" },
          { key: "open", label: messages.columns.open, align: "end" },
        ]}
        rows={page.orders.map((order) => ({
          id: order.id,
          current: order.id === page.detail?.order.id,
          cells: cellsOf(order, page, messages),
        }))}
      />
    </div>
  );
}

function cellsOf(order: Order, page: OrdersPageData, messages: (typeof ordersMessages)["en"]) {
  const { locale, timeZone } = page.account;
  const number = orderNumber(order);
  const what = messages.what(order.kind, page.planNames[order.planId] ?? "");
  return {
    what,
    date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} />,
    number: <span className="figures">{number ?? messages.noNumber}</span>,
    state: <OrderStateChip order={order} />,
    amount: <Money value={order} locale={locale} />,
    open: (
      <Link to={`${href("/settings/orders")}${ordersQuery(page.input, { orderId: order.id })}#order`}>
        {messages.open}
        <span className="visually-hidden">{messages.ofOrder(number ?? what)}</span>
      </Link>
    ),
  };
}

/** No order matches the filter, or the page is past the last one: says so and links back to all orders. */
export function NothingFits({ page }: { page: OrdersPageData }) {
  const { nothing } = useMessages(ordersMessages);
  const { year, state, after } = page.input;
  const isFiltered = year !== null || state !== null;
  return (
    <EmptyState
      title={nothing.title}
      action={<LinkButton to={href("/settings/orders")}>{isFiltered ? nothing.all : nothing.newest}</LinkButton>}
    >
      {after === null ? nothing.text(year, state) : nothing.older}
    </EmptyState>
  );
}

/** Nothing was charged. Abandoned checkouts aren't charges, and are reached from here by their state. */
export function NoOrders({ page: { account, facets, input } }: { page: OrdersPageData }) {
  const { empty, filter } = useMessages(ordersMessages);
  const action = account.state !== "leaving" && <LinkButton to={href("/settings/upgrade")}>{empty.link}</LinkButton>;
  return (
    <EmptyState title={empty.title} action={action}>
      {empty.text}
      {facets.states.length > 0 && (
        <>
          <br />
          {empty.abandoned}{" "}
          {facets.states.map((state) => (
            <Link key={state} to={`${href("/settings/orders")}${ordersQuery(input, { state })}`}>
              {filter.stateOption(state)}
            </Link>
          ))}
        </>
      )}
    </EmptyState>
  );
}

/** Links to older orders and back to the newest, keeping the filter. */
export function OrdersPaging({ page }: { page: OrdersPageData }) {
  const messages = useMessages(ordersMessages);
  const { input, next } = page;
  if (input.after === null && next === null) return null;
  const to = (after: typeof next) => `${href("/settings/orders")}${ordersQuery(input, { after, orderId: null })}`;
  return (
    <div className="row no-print">
      {input.after !== null && <LinkButton to={to(null)}>{messages.newest}</LinkButton>}
      {next !== null && <LinkButton to={to(next)}>{messages.older}</LinkButton>}
    </div>
  );
}
