import { readId, noOrder } from "#app/core/id.ts";
import { data, redirect, href } from "react-router";
import { appContext } from "#app/http/contexts.ts";
import { findInvoicePage } from "#app/modules/order-history/reads/find-invoice-page.server.ts";
import { consumeProviderCall } from "#app/modules/checkout/commands/consume-provider-call.server.ts";
import { requireViewer } from "#app/http/middleware/require-viewer.ts";
import { signedIn } from "#app/http/signed-in.ts";
import type { Route } from "./+types/route";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/** Redirects to Stripe's page of the invoice; while Stripe doesn't return its URL, to the receipt, which says so. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account } = await signedIn(context).viewer;
  const orderId = readId("ord", url.searchParams.get("order")) ?? noOrder;
  const quota = await consumeProviderCall(app, account.id, "payment-page");
  const found = quota.ok ? await findInvoicePage(app, account.id, orderId) : "unanswered";
  // A missing order and another customer's look the same.
  if (!found) throw data(null, { status: 404 });
  if (found !== "unanswered") return redirect(found.url, 303);
  return redirect(
    `${href("/settings/orders/receipt")}?${new URLSearchParams({ order: orderId, invoice: "unanswered" })}`,
    303,
  );
}
