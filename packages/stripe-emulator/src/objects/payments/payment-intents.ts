import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand } from "../demand.ts";

export const paymentIntentRoutes = [
  route(
    "GET",
    "/v1/payment_intents",
    (form) => ({ page: readPage(form), customer: form.text("customer"), created: form.range("created") }),
    (tx, { page, customer, created }) =>
      paginate(
        "/v1/payment_intents",
        page,
        only(tx.store.newestFirst("payment_intent", customer), (intent) => created(intent.created)),
      ),
  ),
  route("GET", "/v1/payment_intents/:id", nothing, (tx, _, id = "") => demand(tx, "payment_intent", id)),
];
