import type Stripe from "stripe";
import type { Books } from "../books.ts";
import type { Form } from "../form.ts";
import { only, paginate, readPage } from "../lists.ts";
import { payOpenInvoice } from "../acts/collect-invoice.ts";
import { nothing, route } from "../routing.ts";
import { demand } from "./find.ts";
import { subscriptionOf } from "./invoice-shape.ts";

const STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

export const invoiceRoutes = [
  route("GET", "/v1/invoices", readQuery, listInvoices),
  route("GET", "/v1/invoices/:id", nothing, (books, _, id = "") => demand(books, "invoice", id)),
  route("GET", "/v1/invoices/:id/lines", readPage, (books, page, id = "") =>
    paginate(`/v1/invoices/${id}/lines`, page, demand(books, "invoice", id).lines.data),
  ),
  route(
    "POST",
    "/v1/invoices/:id/pay",
    (form) => form.text("payment_method"),
    (books, method, id = "") => payOpenInvoice(books, demand(books, "invoice", id), method),
  ),
  route(
    "GET",
    "/v1/invoice_payments",
    (form) => ({
      page: readPage(form),
      invoice: form.text("invoice"),
      status: form.oneOf("status", ["canceled", "open", "paid"]),
      intent: readPayment(form),
    }),
    (books, { page, invoice, status, intent }) =>
      paginate(
        "/v1/invoice_payments",
        page,
        only(
          books.store.newestFirst("invoice_payment"),
          (payment) =>
            (invoice === undefined || payment.invoice === invoice) &&
            (status === undefined || payment.status === status) &&
            (intent === undefined || payment.payment.payment_intent === intent),
        ),
      ),
  ),
  route("GET", "/v1/invoice_payments/:id", nothing, (books, _, id = "") => demand(books, "invoice_payment", id)),
];

const readPayment = (form: Form): string | undefined =>
  form.group("payment", (payment) => {
    payment.oneOf("type", ["payment_intent"]);
    return payment.text("payment_intent");
  });

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    subscription: form.text("subscription"),
    status: form.oneOf("status", STATUSES),
    created: form.range("created"),
  };
}

function listInvoices(
  books: Books,
  { page, customer, subscription, status, created }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (invoice: Stripe.Invoice): boolean =>
    (subscription === undefined || subscriptionOf(invoice) === subscription) &&
    (status === undefined || invoice.status === status) &&
    created(invoice.created);
  return paginate("/v1/invoices", page, only(books.store.newestFirst("invoice", customer), isWanted));
}
