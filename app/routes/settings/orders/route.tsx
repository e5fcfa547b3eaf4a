import { data, href } from "react-router";
import { appContext } from "#app/http/contexts.ts";
import { formatDay } from "#app/core/time/time.ts";
import { ordersQuery, readOrdersQuery } from "#app/modules/order-history/browse.rules.ts";
import { browseOrders } from "#app/modules/order-history/reads/browse-orders.server.ts";
import { readFriendship } from "#app/modules/referrals/reads/show-discount.server.ts";
import { planName, planNames } from "#app/modules/catalogue/plan-names.messages.ts";
import { segmentPath } from "#app/modules/catalogue/rules.ts";
import { pageTitle } from "#app/http/page-title.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/route";
import { OrderDetailCard } from "./detail.tsx";
import { OrdersFilter } from "./filter.tsx";
import { NoOrders, NothingFits, OrdersList, OrdersPaging } from "./list.tsx";
import { OrdersSpending } from "./spending.tsx";
import { ordersMessages } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(ordersMessages.en.title, matches) }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const input = readOrdersQuery(url.searchParams);
  const [browsed, { account }] = await Promise.all([browseOrders(app, accountId, input), viewer]);
  const { detail } = browsed;
  // A missing order and another customer's look the same.
  if (input.orderId !== null && !detail) throw data(null, { status: 404 });
  const day = (at: number | null | undefined) => (at == null ? null : formatDay(at, account));
  // The end of a day is the start of the next one.
  const lastDay = detail?.withdrawal.offer ? day(detail.withdrawal.offer.until - 1) : null;
  return {
    account,
    input,
    ...browsed,
    discount: detail && readFriendship(app.product, detail.order, detail.friendship),
    planNames: planNames(
      app.product,
      browsed.orders.map(({ planId }) => planId),
    ),
    planName: planName(app.product, detail?.order.planId),
    planPath: segmentPath(app.product, "plan"),
    seller: detail?.order.seller ?? app.product.seller,
    currency: app.product.currency,
    days: { nextTry: day(detail?.order.nextTryAt), withdrawUntil: lastDay },
  };
}

export default function Orders({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(ordersMessages);
  const { detail, input } = page;
  return (
    <SettingsPage title={messages.title} lead={messages.lead}>
      {detail && (
        <OrderDetailCard
          {...page}
          detail={detail}
          backPath={`${href("/settings/orders")}${ordersQuery(input, { orderId: null })}#orders`}
        />
      )}
      {page.orders.length === 0 && isWhole({ ...input, orderId: null }) ? (
        <NoOrders page={page} />
      ) : (
        <>
          {isWhole(input) && <OrdersSpending page={page} />}
          <OrdersFilter page={page} />
          {page.orders.length > 0 ? <OrdersList page={page} /> : <NothingFits page={page} />}
          <OrdersPaging page={page} />
        </>
      )}
    </SettingsPage>
  );
}

/** All orders from the newest on, none of them open: only this view shows the spending chart above the list. */
function isWhole({ year, state, after, orderId }: OrdersPageData["input"]): boolean {
  return year === null && state === null && after === null && orderId === null;
}
