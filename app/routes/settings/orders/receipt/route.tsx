import { readId, noOrder } from "#app/core/id.ts";
import { use } from "react";
import { data, Link, href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { localeWithin } from "#app/core/text/formats.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { chargeResult } from "#app/modules/orders/amount-breakdown.rules.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { type Receipt, showReceipt } from "#app/modules/order-history/reads/show-receipt.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { ReadingPage } from "#app/ui/components/layout/page-shell.tsx";
import type { Route } from "./+types/route";
import { orderDetailMessages } from "../order/messages.ts";
import { methodFacts, NoTaxNote, OrderLines, OrderParties, OrderSums } from "../order/parts.tsx";
import { OrderStateChip } from "../state.tsx";
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
  const file = url.searchParams.get("file") === "pdf" ? ("pdf" as const) : null;
  const seller = receipt.order.seller ?? app.product.seller;
  return { ...receipt, account, what, noInvoice, file, seller, support: app.product.support };
}

/** A separate page that prints without the site's header and footer. */
export default function OrderReceipt({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(orderReceiptMessages);
  const detail = useMessages(orderDetailMessages);
  const { charged } = detail;
  const { order, lines, account, seller } = page;
  // Dates are in the language of the page: a receipt is passed on to others.
  const reader = { ...account, locale: localeWithin(use(LanguageContext), account.locale) };
  return (
    <ReadingPage title={messages.title(orderNumber(order))}>
      {page.noInvoice && (
        <div className="no-print">
          <Notice kind="attention" title={messages.noInvoice.title}>
            {messages.noInvoice.text} <a href={invoicePath(order, page.file)}>{messages.noInvoice.again}</a>
          </Notice>
        </div>
      )}
      <Actions order={order} />
      <div className="receipt">
        <div className="receipt-total">
          <OrderStateChip order={order} />
          <Headline order={order} reader={reader} />
          <p className="quiet">{page.what}</p>
        </div>
        <OrderParties order={order} account={account} seller={seller} />
        <section>
          <OrderLines order={order} lines={lines} reader={reader} />
          <OrderSums order={order} lines={lines} reader={reader} total={charged} />
          <NoTaxNote order={order} />
        </section>
        <KeyValues items={methodFacts(order, detail)} />
        {page.refunds.length + page.returns.length > 0 && <Refunds page={page} reader={reader} />}
        <p className="receipt-footer">{messages.footer([seller.name, ...seller.address], page.support)}</p>
      </div>
    </ReadingPage>
  );
}

function invoicePath(order: Order, file: "pdf" | null): string {
  return `${href("/settings/orders/invoice")}?order=${order.id}${file === null ? "" : `&file=${file}`}`;
}

function Actions({ order }: { order: Order }) {
  const messages = useMessages(orderReceiptMessages);
  return (
    <>
      <div className="row no-print receipt-actions">
        <span className="needs-script">
          <Button type="button" kind="primary" onClick={() => window.print()}>
            {messages.print}
          </Button>
        </span>
        {order.invoiceId && (
          <LinkButton to={invoicePath(order, "pdf")} reloadDocument>
            {messages.download}
          </LinkButton>
        )}
        <Link to={href("/settings/orders/:order", { order: order.id })}>{messages.back}</Link>
      </div>
      <noscript>
        <p className="quiet no-print">{messages.toPrint}</p>
      </noscript>
    </>
  );
}

/** The amount and the day it was paid. */
function Headline({ order, reader }: { order: Order; reader: Reader }) {
  const { headline } = useMessages(orderDetailMessages);
  return (
    <p className="receipt-headline" suppressHydrationWarning>
      {headline[chargeResult(order)](
        formatMoney(order, reader.locale),
        formatDay(order.paidAt ?? order.createdAt, reader),
      )}
    </p>
  );
}

/** What was returned, by a refund or by the customer's bank, each with its date, and what is left of the payment. */
function Refunds({ page, reader }: { page: Receipt; reader: Reader }) {
  const messages = useMessages(orderReceiptMessages);
  const { order } = page;
  const amount = (amountMinor: number) => (
    <Money value={{ amountMinor, currency: order.currency }} locale={reader.locale} />
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
              {what} <Moment at={at} timeZone={reader.timeZone} locale={reader.locale} />
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
