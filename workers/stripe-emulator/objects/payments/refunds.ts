import type Stripe from "stripe";
import { refundCharge, saveRefund } from "../../actions/payments/refund-charge.ts";
import type { Books } from "../../books.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { demand, idOf, refer } from "../find.ts";

export const refundRoutes = [
  route("POST", "/v1/refunds", readRefund, (books, input) => refundCharge(books, chargeOf(books, input), input)),
  route(
    "GET",
    "/v1/refunds",
    (form) => ({
      page: readPage(form),
      charge: form.text("charge"),
      intent: form.text("payment_intent"),
      created: form.range("created"),
    }),
    (books, { page, charge, intent, created }) =>
      paginate(
        "/v1/refunds",
        page,
        only(
          books.store.newestFirst("refund"),
          (refund) =>
            (charge === undefined || refund.charge === charge) &&
            (intent === undefined || refund.payment_intent === intent) &&
            created(refund.created),
        ),
      ),
  ),
  route("GET", "/v1/refunds/:id", nothing, (books, _, id = "") => demand(books, "refund", id)),
  route(
    "POST",
    "/v1/refunds/:id",
    (form) => form.metadata(),
    (books, metadata, id = "") => {
      const refund = demand(books, "refund", id);
      return saveRefund(books, refund, { ...refund, metadata: mergeMetadata(refund.metadata ?? {}, metadata) });
    },
  ),
];

function readRefund(form: Form) {
  return {
    charge: form.text("charge"),
    intent: form.text("payment_intent"),
    amount: form.integer("amount"),
    reason: form.oneOf("reason", ["duplicate", "fraudulent", "requested_by_customer"]) ?? null,
    metadata: mergeMetadata({}, form.metadata()),
  };
}

function chargeOf(books: Books, { charge, intent }: ReturnType<typeof readRefund>): Stripe.Charge {
  if ((charge === undefined) === (intent === undefined))
    throw invalid("One of the following params should be provided for this request: payment_intent or charge.");
  if (charge !== undefined) return refer(books, "charge", charge, "charge");
  const { id, latest_charge } = refer(books, "payment_intent", intent ?? "", "payment_intent");
  const latest = latest_charge === null ? null : books.store.find("charge", idOf(latest_charge));
  if (latest?.status === "succeeded") return latest;
  throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
    code: "payment_intent_unexpected_state",
    param: "payment_intent",
  });
}
