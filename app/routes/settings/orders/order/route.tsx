import { data, href } from "react-router";
import { noOrder, readId } from "#app/core/id.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { showOrder } from "#app/modules/order-history/reads/show-order.server.ts";
import { chargeResult, explain, isWorthExplaining } from "#app/modules/orders/amount-breakdown.rules.ts";
import { orderNumber } from "#app/modules/orders/rules.ts";
import { readFriendship } from "#app/modules/referrals/reads/show-discount.server.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { ordersMessages } from "../messages.ts";
import { OrderStateChip } from "../state.tsx";
import { OrderDiscountNotice } from "./discount.tsx";
import { OrderDocuments } from "./documents.tsx";
import { orderDetailMessages } from "./messages.ts";
import type { OrderPageData } from "./page-data.ts";
import { NoTaxNote, OrderLines, OrderMethod, OrderParties, OrderRefunds, OrderSums } from "./parts.tsx";
import { OrderHistory } from "./history.tsx";
import { OrderUnpaid } from "./unpaid.tsx";
import { OrderWithdrawal } from "./withdrawal.tsx";

export const meta: Route.MetaFunction = ({ loaderData: page, matches }) => [
  { title: pageTitle(page ? titleOf(page, orderDetailMessages.en) : ordersMessages.en.title, matches) },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const orderId = readId("ord", params.order) ?? noOrder;
  const [detail, { account }] = await Promise.all([showOrder(app, accountId, orderId), viewer]);
  // A missing order and another customer's look the same.
  if (!detail) throw data(null, { status: 404 });
  const { order, friendship, withdrawal } = detail;
  const day = (at: number | null | undefined) => (at == null ? null : formatDay(at, account));
  return {
    account,
    ...detail,
    discount: readFriendship(app.product, order, friendship),
    planName: planName(app.product, order.planId),
    planPath: segmentPath(app.product, "plan"),
    seller: order.seller ?? app.product.seller,
    /** This page says that the plan's payment is overdue, so its frame doesn't. */
    isDueShown: order.kind === "renewal" && (order.state === "failed" || order.state === "needs-action"),
    /** Formatted dates, where there are any. The end of a day is the start of the next one. */
    days: { nextTry: day(order.nextTryAt), withdrawUntil: day(withdrawal.offer && withdrawal.offer.until - 1) },
  };
}

function titleOf({ order }: OrderPageData, messages: typeof orderDetailMessages.en): string {
  return messages.title(orderNumber(order), order.isUnconfirmed);
}

/** An order: its documents, what to do about it, its lines and the reasons for its amount, payer and payee, and its history. */
export default function OrderPage({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(orderDetailMessages);
  const { what } = useMessages(ordersMessages);
  const { account, order } = page;
  return (
    <SettingsPage
      title={titleOf(page, messages)}
      lead={what(order.kind, page.planName)}
      back={{ to: href("/settings/orders"), label: messages.back }}
      actions={order.paidAt !== null && <OrderDocuments order={order} />}
    >
      <OrderUnpaid page={page} />
      {page.discount && <OrderDiscountNotice discount={page.discount} locale={account.locale} />}
      <OrderWithdrawal page={page} />
      <Charge page={page} />
      {order.paidAt !== null && (
        <SectionCard title={messages.details}>
          <OrderParties order={order} account={account} seller={page.seller} />
          <OrderMethod order={order} />
        </SectionCard>
      )}
      <OrderHistory order={order} historyEvents={page.historyEvents} reader={account} />
    </SettingsPage>
  );
}

/** What was charged or will be, line by line. */
function Charge({ page }: { page: OrderPageData }) {
  const messages = useMessages(orderDetailMessages);
  const { account, order, lines } = page;
  const result = chargeResult(order);
  const amount = formatMoney(order, account.locale);
  const headline = messages.headline[result](amount, formatDay(order.paidAt ?? order.createdAt, account));
  return (
    <SectionCard
      title={
        <span className="title-and-status">
          <span suppressHydrationWarning>{headline}</span>
          {/* Otherwise the notice above says it. */}
          {!page.isDueShown && <OrderStateChip order={order} />}
        </span>
      }
    >
      {result !== "never" && (
        <>
          <OrderLines order={order} lines={lines} reader={account} />
          <OrderSums order={order} lines={lines} reader={account} />
          <OrderRefunds order={order} reader={account} />
          <NoTaxNote order={order} />
          <Why page={page} />
        </>
      )}
    </SectionCard>
  );
}

/** One sentence for each thing that affected the amount; nothing for a plan's own price. */
function Why({ page: { order, lines, planName: plan } }: { page: OrderPageData }) {
  const messages = useMessages(orderDetailMessages);
  const why = explain(order, lines);
  if (!isWorthExplaining(why)) return null;
  return (
    <>
      <h3>{messages.why}</h3>
      <p>{why.map((each) => messages.because(each, plan, order.interval)).join(" ")}</p>
    </>
  );
}
