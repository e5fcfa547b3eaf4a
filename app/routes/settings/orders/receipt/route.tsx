import { readId, noOrder } from "#app/core/id.ts";
import { data, href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { showReceipt } from "#app/modules/order-history/reads/show-receipt.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import type { Route } from "./+types/route";
import { orderDetailMessages } from "../order/messages.ts";
import { orderReceiptMessages } from "./messages.ts";
import { ReceiptSheet } from "./sheet.tsx";

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
  const { name: product, support } = app.product;
  return { ...receipt, account, what, noInvoice, file, seller, product, support };
}

/** Only the sheet of this page is printed. */
export default function OrderReceipt({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(orderReceiptMessages);
  const { title } = useMessages(orderDetailMessages);
  const { order } = page;
  const number = orderNumber(order);
  return (
    <article className="reading-page receipt-page">
      <header className="no-print">
        <div>
          <Link className="page-back" to={href("/settings/orders/:order", { order: order.id })}>
            <Icon name="chevron-left" />
            {number ? title.numbered(number) : title.unconfirmed}
          </Link>
          <h1>{messages.heading}</h1>
        </div>
        <Actions order={order} />
      </header>
      <noscript>
        <p className="quiet no-print">{messages.toPrint}</p>
      </noscript>
      {page.noInvoice && (
        <div className="no-print">
          <Notice kind="attention" title={messages.noInvoice.title}>
            {messages.noInvoice.text} <a href={invoicePath(order, page.file)}>{messages.noInvoice.again}</a>
          </Notice>
        </div>
      )}
      <ReceiptSheet page={page} />
    </article>
  );
}

function invoicePath(order: Order, file: "pdf" | null): string {
  return `${href("/settings/orders/invoice")}?order=${order.id}${file === null ? "" : `&file=${file}`}`;
}

/** The buttons are in the same order as on the order's page. */
function Actions({ order }: { order: Order }) {
  const messages = useMessages(orderReceiptMessages);
  return (
    <div className="row">
      {order.invoiceId && (
        <LinkButton kind="primary" to={invoicePath(order, "pdf")} reloadDocument>
          {messages.download}
        </LinkButton>
      )}
      <span className="needs-script">
        <Button type="button" kind={order.invoiceId ? "quiet" : "primary"} onClick={() => window.print()}>
          {messages.print}
        </Button>
      </span>
    </div>
  );
}
