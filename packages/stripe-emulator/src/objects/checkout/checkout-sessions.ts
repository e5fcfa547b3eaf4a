import type Stripe from "stripe";
import { expireSession } from "../../actions/payments/checkout.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { openCheckoutSession } from "../../actions/payments/open-checkout.ts";
import { lineItemsOf } from "./checkout-line-items.ts";
import { readCheckoutForm } from "./checkout-form.ts";
import { demand, idOf } from "../demand.ts";

export const checkoutSessionRoutes = [
  route("POST", "/v1/checkout/sessions", readCheckoutForm, openCheckoutSession),
  route("GET", "/v1/checkout/sessions", readQuery, listSessions),
  route("GET", "/v1/checkout/sessions/:id", nothing, (tx, _, id = "") => demand(tx, "checkout_session", id)),
  route("POST", "/v1/checkout/sessions/:id/expire", nothing, (tx, _, id = "") =>
    expireSession(tx, demand(tx, "checkout_session", id)),
  ),
  route("GET", "/v1/checkout/sessions/:id/line_items", readPage, (tx, page, id = "") =>
    paginate(`/v1/checkout/sessions/${id}/line_items`, page, lineItemsOf(tx, demand(tx, "checkout_session", id))),
  ),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    subscription: form.text("subscription"),
    status: form.oneOf("status", ["complete", "expired", "open"]),
    created: form.range("created"),
  };
}

function listSessions(
  tx: Transaction,
  { page, customer, subscription, status, created }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (session: Stripe.Checkout.Session): boolean =>
    (subscription === undefined || (session.subscription !== null && idOf(session.subscription) === subscription)) &&
    (status === undefined || session.status === status) &&
    created(session.created);
  return paginate("/v1/checkout/sessions", page, only(tx.store.newestFirst("checkout_session", customer), isWanted));
}
