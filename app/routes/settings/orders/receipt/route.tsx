import { readId, noOrder } from "#app/core/id.ts";
import { data, href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { documentNumber } from "#app/modules/billing/documents/rules.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { showReceipt } from "#app/modules/billing/history/reads/show-receipt.server.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { creditNoteParameter } from "../order/document-path.ts";
import { orderDetailMessages } from "../order/messages.ts";
import { orderReceiptMessages } from "./messages.ts";
import { ReceiptSheet } from "./sheet.tsx";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/** Browsers suggest the title as the file name when printing to a file. */
export const meta: Route.MetaFunction = ({ loaderData: page, matches }) => [
  {
    title: pageTitle(
      page
        ? orderReceiptMessages.en.title(page.document.kind, documentNumber(page.document))
        : orderReceiptMessages.en.headings.invoice,
      matches,
    ),
  },
  { name: "robots", content: "noindex" },
];

/** The invoice of a paid order, or with `?credit-note=` one of its credit notes. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const orderId = readId("ord", url.searchParams.get("order")) ?? noOrder;
  const [receipt, { account }] = await Promise.all([showReceipt(app, accountId, orderId), viewer]);
  const number = url.searchParams.get(creditNoteParameter);
  const document =
    number === null ? receipt?.invoice : receipt?.creditNotes.find((note) => documentNumber(note) === number);
  if (!receipt || !document) throw data(null, { status: 404 });
  return { order: receipt.order, document, locale: account.locale, support: app.product.support };
}

/** Only the sheet of this page is printed. */
export default function OrderReceipt({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(orderReceiptMessages);
  const { title } = useMessages(orderDetailMessages);
  const { order, document } = page;
  return (
    <article className="reading-page receipt-page">
      <header className="no-print">
        <div>
          <Link className="page-back" to={href("/settings/orders/:order", { order: order.id })}>
            <Icon name="chevron-left" />
            {title.numbered(orderNumber(order) ?? order.id)}
          </Link>
          <h1>{messages.headings[document.kind]}</h1>
        </div>
        <span className="needs-script">
          <Button type="button" kind="primary" onClick={() => window.print()}>
            {messages.print}
          </Button>
        </span>
      </header>
      <noscript>
        <p className="quiet no-print">{messages.toPrint}</p>
      </noscript>
      <ReceiptSheet page={page} />
      <p className="quiet no-print">
        {messages.questions} <a href={`mailto:${page.support}`}>{page.support}</a>
      </p>
    </article>
  );
}
