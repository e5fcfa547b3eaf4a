import type Stripe from "stripe";
import { DRAFT_SECONDS } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { finalizeInvoice, withHostedPage } from "../../actions/payments/finalize-invoice.ts";
import { payInvoice } from "../../actions/payments/pay-invoice.ts";
import { previewInvoice } from "../../actions/payments/preview-invoice.ts";
import { markInvoicePaid, markUncollectible, voidInvoice } from "../../actions/payments/mark-invoice.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { demand } from "../demand.ts";
import { subscriptionOf } from "./invoice-shape.ts";
import { readPreviewForm } from "./preview-form.ts";

const STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

export const invoiceRoutes = [
  route("GET", "/v1/invoices", readQuery, listInvoices),
  route("GET", "/v1/invoices/:id", nothing, (tx, _, id = "") => withHostedPage(tx, demand(tx, "invoice", id))),
  route("GET", "/v1/invoices/:id/lines", readPage, (tx, page, id = "") =>
    paginate(`/v1/invoices/${id}/lines`, page, demand(tx, "invoice", id).lines.data),
  ),
  route("POST", "/v1/invoices/create_preview", readPreviewForm, previewInvoice),
  route(
    "POST",
    "/v1/invoices/:id/pay",
    (form) => {
      form.flag("off_session");
      form.oneOf("forgive", ["false"]);
      form.oneOf("paid_out_of_band", ["false"]);
      return { method: form.text("payment_method") };
    },
    (tx, input, id = "") => payInvoice(tx, demand(tx, "invoice", id), input),
  ),
  route(
    "POST",
    "/v1/invoices/:id/finalize",
    (form) => form.flag("auto_advance"),
    (tx, advances, id = "") => finalizeByHand(tx, invoiceIn(tx, id, ["draft"], "finalized"), advances),
  ),
  route("POST", "/v1/invoices/:id/void", nothing, (tx, _, id = "") =>
    voidInvoice(tx, invoiceIn(tx, id, ["open", "uncollectible"], "voided")),
  ),
  route("POST", "/v1/invoices/:id/mark_uncollectible", nothing, (tx, _, id = "") =>
    markUncollectible(tx, invoiceIn(tx, id, ["open"], "marked uncollectible")),
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
    (tx, { page, invoice, status, intent }) =>
      paginate(
        "/v1/invoice_payments",
        page,
        only(
          tx.store.newestFirst("invoice_payment"),
          (payment) =>
            (invoice === undefined || payment.invoice === invoice) &&
            (status === undefined || payment.status === status) &&
            (intent === undefined || payment.payment.payment_intent === intent),
        ),
      ),
  ),
  route("GET", "/v1/invoice_payments/:id", nothing, (tx, _, id = "") => demand(tx, "invoice_payment", id)),
];

function invoiceIn(tx: Transaction, id: string, statuses: string[], done: string): Stripe.Invoice {
  const invoice = demand(tx, "invoice", id);
  if (statuses.includes(invoice.status ?? "")) return invoice;
  throw invalid(`This invoice can't be ${done}: it is ${invoice.status}.`, { code: "invoice_not_editable" });
}

/** Finalizes a draft before its hour has passed. With `auto_advance` it is collected from then on. */
function finalizeByHand(tx: Transaction, draft: Stripe.Invoice, advances: boolean | undefined): Stripe.Invoice {
  const isCollected = advances ?? draft.auto_advance ?? false;
  const open = finalizeInvoice(tx, { ...draft, auto_advance: isCollected }, null);
  if (open.amount_due === 0) return markInvoicePaid(tx, open);
  if (isCollected) tx.clock.setTimer("invoice-retries", open.id, tx.clock.now() + DRAFT_SECONDS);
  return open;
}

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
  tx: Transaction,
  { page, customer, subscription, status, created }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (invoice: Stripe.Invoice): boolean =>
    (subscription === undefined || subscriptionOf(invoice) === subscription) &&
    (status === undefined || invoice.status === status) &&
    created(invoice.created);
  const found = paginate("/v1/invoices", page, only(tx.store.newestFirst("invoice", customer), isWanted));
  return { ...found, data: found.data.map((invoice) => withHostedPage(tx, invoice)) };
}
