import { data, href, redirect } from "react-router";
import { readId } from "#app/core/id.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { readCsvFormat, readOrdersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { browseOrders } from "#app/modules/billing/history/reads/browse-orders.server.ts";
import { planNames } from "#app/modules/catalogue/plan-names.messages.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { readerOf } from "#app/core/time/time.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/route";
import { UnfinishedAttempts } from "./attempts.tsx";
import { OrdersFilter } from "./filter.tsx";
import { NoOrders, NothingFits, OrdersList, OrdersPaging } from "./list.tsx";
import { OrdersSpending } from "./spending.tsx";
import { ordersMessages } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(ordersMessages.en.title, matches) }];

export async function loader({ context, url }: Route.LoaderArgs) {
  if (url.searchParams.has("order")) throw toItsPage(url.searchParams.get("order"));
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const input = readOrdersQuery(url.searchParams);
  const [browsed, { account }] = await Promise.all([browseOrders(app, accountId, input), viewer]);
  return {
    reader: readerOf(account),
    isClosed: isAccountClosed(account),
    input,
    ...browsed,
    planNames: planNames(
      app.product,
      [...browsed.orders, ...browsed.attempts].map(({ planId }) => planId),
    ),
    currency: app.product.currency,
    csvFormat: readCsvFormat(new URLSearchParams(), account.locale),
  };
}

/** Orders used to be shown at `?order=`. Emails and bookmarks still link there. */
function toItsPage(order: string | null) {
  const id = readId("ord", order);
  return id ? redirect(href("/settings/orders/:order", { order: id }), 303) : data(null, { status: 404 });
}

export default function Orders({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(ordersMessages);
  const isAll = isWhole(page.input);
  return (
    <SettingsPage title={messages.title} lead={page.orders.length === 0 && isAll ? undefined : messages.lead}>
      {page.orders.length === 0 && isAll ? (
        page.attempts.length === 0 && <NoOrders page={page} />
      ) : (
        <>
          <OrdersFilter page={page} />
          {page.orders.length > 0 ? <OrdersList page={page} /> : <NothingFits page={page} />}
          <OrdersPaging page={page} />
        </>
      )}
      {isAll && page.attempts.length > 0 && <UnfinishedAttempts page={page} />}
      {isAll && page.orders.length > 0 && <OrdersSpending page={page} />}
    </SettingsPage>
  );
}

/** The unfiltered list from its start. Only this view shows unfinished attempts and the spending chart. */
function isWhole({ year, state, after }: OrdersPageData["input"]): boolean {
  return year === null && state === null && after === null;
}
