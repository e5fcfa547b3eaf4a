import { data, Link } from "react-router";
import { appContext } from "#app/context.ts";
import { browseOrders } from "#app/domain/orders/browse-orders.server.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { pageTitle } from "#app/request/page-title.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Money } from "#app/ui/money.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import type { Route } from "./+types/orders";
import { ordersWords } from "./orders.words.ts";
import { OrderDetailCard, OrderStateChip } from "./order-detail.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(ordersWords.en.title, matches) }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account } = signedIn(context);
  const orderId = url.searchParams.get("order");
  const browsed = await browseOrders(app, account.id, { orderId, after: url.searchParams.get("after") });
  // Not there and not yours are the same.
  if (orderId !== null && !browsed.detail) throw data(null, { status: 404 });
  const planNames = Object.fromEntries(app.product.plans.map((plan) => [plan.id, plan.name]));
  return { account, ...browsed, planNames, product: app.product.name, seller: app.product.seller };
}

export default function Orders({ loaderData: page }: Route.ComponentProps) {
  const words = useWords(ordersWords);
  if (page.orders.length === 0 && !page.detail) return <NoOrders isLeaving={page.account.state === "leaving"} />;
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      {page.detail && <OrderDetailCard page={{ ...page, detail: page.detail }} />}
      <OrderList page={page} />
      <div className="row no-print">
        {page.next && <LinkButton to={`/settings/orders?after=${page.next}`}>{words.older}</LinkButton>}
      </div>
    </SettingsPage>
  );
}

function OrderList({ page }: { page: Route.ComponentProps["loaderData"] }) {
  const words = useWords(ordersWords);
  const { locale, timeZone } = page.account;
  return (
    <div className="card no-print">
      <DataTable
        caption={words.title}
        columns={[
          { key: "what", label: words.columns.what },
          { key: "date", label: words.columns.date },
          { key: "number", label: words.columns.number },
          { key: "state", label: words.columns.state },
          { key: "amount", label: words.columns.amount, align: "end" },
          { key: "open", label: words.columns.open, align: "end" },
        ]}
        rows={page.orders.map((order) => ({
          id: order.id,
          current: order.id === page.detail?.order.id,
          cells: {
            what: words.what(order.kind, page.planNames[order.planId] ?? order.planId),
            date: <Moment at={order.paidAt ?? order.createdAt} timeZone={timeZone} locale={locale} />,
            number: <span className="figures">{orderNumber(order) ?? words.noNumber}</span>,
            state: <OrderStateChip state={order.state} />,
            amount: <Money value={order} locale={locale} />,
            open: <Link to={`/settings/orders?order=${order.id}`}>{words.open}</Link>,
          },
        }))}
      />
    </div>
  );
}

function NoOrders({ isLeaving }: { isLeaving: boolean }) {
  const words = useWords(ordersWords);
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <EmptyState
        title={words.empty.title}
        action={!isLeaving && <LinkButton to="/settings/upgrade">{words.empty.link}</LinkButton>}
      >
        {words.empty.text}
      </EmptyState>
    </SettingsPage>
  );
}
