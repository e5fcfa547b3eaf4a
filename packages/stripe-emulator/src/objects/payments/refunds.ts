import type Stripe from "stripe";
import { refundCharge, saveRefund } from "../../actions/payments/refund-charge.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { demand, idOf, refer } from "../demand.ts";

export const refundRoutes = [
  route("POST", "/v1/refunds", readRefund, (tx, input) => refundCharge(tx, chargeOf(tx, input), input)),
  route(
    "GET",
    "/v1/refunds",
    (form) => ({
      page: readPage(form),
      charge: form.text("charge"),
      intent: form.text("payment_intent"),
      created: form.range("created"),
    }),
    (tx, { page, charge, intent, created }) =>
      paginate(
        "/v1/refunds",
        page,
        only(
          tx.store.newestFirst("refund"),
          (refund) =>
            (charge === undefined || refund.charge === charge) &&
            (intent === undefined || refund.payment_intent === intent) &&
            created(refund.created),
        ),
      ),
  ),
  route("GET", "/v1/refunds/:id", nothing, (tx, _, id = "") => demand(tx, "refund", id)),
  route(
    "POST",
    "/v1/refunds/:id",
    (form) => form.metadata(),
    (tx, metadata, id = "") => {
      const refund = demand(tx, "refund", id);
      return saveRefund(tx, refund, { ...refund, metadata: mergeMetadata(refund.metadata ?? {}, metadata) });
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

function chargeOf(tx: Transaction, { charge, intent }: ReturnType<typeof readRefund>): Stripe.Charge {
  if ((charge === undefined) === (intent === undefined))
    throw invalid("One of the following params should be provided for this request: payment_intent or charge.");
  if (charge !== undefined) return refer(tx, "charge", charge, "charge");
  const { id, latest_charge } = refer(tx, "payment_intent", intent ?? "", "payment_intent");
  const latest = latest_charge === null ? null : tx.store.find("charge", idOf(latest_charge));
  if (latest?.status === "succeeded") return latest;
  throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
    code: "payment_intent_unexpected_state",
    param: "payment_intent",
  });
}
