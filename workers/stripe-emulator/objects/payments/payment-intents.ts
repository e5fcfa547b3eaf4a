import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand } from "../find.ts";

export const paymentIntentRoutes = [
  route(
    "GET",
    "/v1/payment_intents",
    (form) => ({ page: readPage(form), customer: form.text("customer"), created: form.range("created") }),
    (books, { page, customer, created }) =>
      paginate(
        "/v1/payment_intents",
        page,
        only(books.store.newestFirst("payment_intent", customer), (intent) => created(intent.created)),
      ),
  ),
  route("GET", "/v1/payment_intents/:id", nothing, (books, _, id = "") => demand(books, "payment_intent", id)),
];
