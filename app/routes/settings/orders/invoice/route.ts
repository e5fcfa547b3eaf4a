import { readId, noOrder } from "#app/core/id.ts";
import { data, redirect, href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { findInvoicePage } from "#app/modules/order-history/reads/find-invoice-page.server.ts";
import { consumeProviderCall } from "#app/modules/checkout/commands/consume-provider-call.server.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import type { Route } from "./+types/route";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/**
 * Redirects to Stripe's page of the invoice, or with `?file=pdf` to its PDF. If Stripe doesn't return the URL, redirects to the receipt,
 * which says so.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account } = await signedIn(context).viewer;
  const orderId = readId("ord", url.searchParams.get("order")) ?? noOrder;
  const quota = await consumeProviderCall(app, account.id, "payment-page");
  const file = url.searchParams.get("file") === "pdf" ? ("pdf" as const) : null;
  const found = quota.ok ? await findInvoicePage(app, account.id, orderId, file ?? "page") : "unanswered";
  // A missing order and another customer's look the same.
  if (!found) throw data(null, { status: 404 });
  if (found !== "unanswered") return redirect(found.url, 303);
  return redirect(
    `${href("/settings/orders/receipt")}?${new URLSearchParams({ order: orderId, invoice: "unanswered", ...(file && { file }) })}`,
    303,
  );
}
