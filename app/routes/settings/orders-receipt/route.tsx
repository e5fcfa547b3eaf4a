import { readId, noOrder } from "#app/core/id.ts";
import { data, Link, href } from "react-router";
import { appContext } from "#app/http/contexts.ts";
import { orderNumber } from "#app/modules/orders/rules.ts";
import { type Receipt, showReceipt } from "#app/modules/order-history/reads/show-receipt.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { requireViewer } from "#app/http/middleware/require-viewer.ts";
import { pageTitle } from "#app/http/page-title.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { ReadingPage } from "#app/ui/components/layout/page-shell.tsx";
import type { Route } from "./+types/route";
import { OrderLines, OrderParties, OrderSums } from "../orders/parts.tsx";
import { orderReceiptMessages } from "./messages.ts";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/** Browsers suggest the title as the file name when printing to a file. */
export const meta: Route.MetaFunction = ({ loaderData: page, matches }) => [
  { title: pageTitle(orderReceiptMessages.en.title(page ? orderNumber(page.order) : null), matches) },
  { name: "robots", content: "noindex" },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const orderId = readId("ord", url.searchParams.get("order")) ?? noOrder;
  const [receipt, { account }] = await Promise.all([showReceipt(app, accountId, orderId), viewer]);
  if (!receipt) throw data(null, { status: 404 });
  const what = whatIsSold(app.product, receipt.order.planId);
  const noInvoice = url.searchParams.get("invoice") === "unanswered";
  return { ...receipt, account, what, noInvoice, seller: receipt.order.seller ?? app.product.seller };
}

/** A page of its own that prints without the site's frame. */
export default function OrderReceipt({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(orderReceiptMessages);
  const { order, lines, account } = page;
  return (
    <ReadingPage title={messages.title(orderNumber(order))}>
      {page.noInvoice && (
        <div className="no-print">
          <Notice kind="attention" title={messages.noInvoice.title}>
            {messages.noInvoice.text}{" "}
            <a href={`${href("/settings/orders/invoice")}?order=${order.id}`}>{messages.noInvoice.again}</a>
          </Notice>
        </div>
      )}
      <div className="receipt">
        <KeyValues
          items={[
            { label: messages.number, value: <span className="figures">{orderNumber(order)}</span> },
            {
              label: messages.date,
              value: (
                <Moment at={order.paidAt ?? order.createdAt} timeZone={account.timeZone} locale={account.locale} />
              ),
            },
            { label: messages.what, value: page.what },
          ]}
        />
        <OrderParties order={order} account={account} seller={page.seller} />
        <OrderLines order={order} lines={lines} reader={account} />
        <OrderSums order={order} lines={lines} reader={account} />
        {page.refunds.length + page.returns.length > 0 && <Refunds page={page} />}
        <div className="row no-print">
          <span className="needs-script">
            <Button type="button" onClick={() => window.print()}>
              {messages.print}
            </Button>
          </span>
          <Link to={`${href("/settings/orders")}?order=${order.id}`}>{messages.back}</Link>
        </div>
        <noscript>
          <p className="quiet no-print">{messages.toPrint}</p>
        </noscript>
      </div>
    </ReadingPage>
  );
}

/** What was returned, by a refund or by the customer's bank, each with its date, and what is left of the payment. */
function Refunds({ page }: { page: Receipt & Pick<Route.ComponentProps["loaderData"], "account"> }) {
  const messages = useMessages(orderReceiptMessages);
  const { order, account } = page;
  const amount = (amountMinor: number) => (
    <Money value={{ amountMinor, currency: order.currency }} locale={account.locale} />
  );
  const backs = [
    ...page.refunds.map(({ isFriendDiscount, ...refund }) => ({
      ...refund,
      what: isFriendDiscount ? messages.friendRefunded : messages.refunded,
    })),
    ...page.returns.map((returned) => ({ ...returned, what: messages.returned })),
  ];
  return (
    <section>
      <h2>{page.returns.length > 0 ? messages.returns : messages.refunds}</h2>
      <dl className="key-values key-values-sums">
        {backs.map(({ what, at, amountMinor }, index) => (
          <div key={index}>
            <dt>
              {what} <Moment at={at} timeZone={account.timeZone} locale={account.locale} />
            </dt>
            <dd>{amount(-amountMinor)}</dd>
          </div>
        ))}
        <div>
          <dt>{messages.retained}</dt>
          <dd>{amount(page.retainedMinor)}</dd>
        </div>
      </dl>
    </section>
  );
}
