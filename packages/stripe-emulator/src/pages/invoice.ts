import type Stripe from "stripe";
import { answerOnPage, payOnPage } from "../actions/payments/pay-on-page.ts";
import type { Transaction } from "../transaction.ts";
import { summarizeInvoice } from "../money/summarize-invoice.ts";
import { demand } from "../objects/demand.ts";
import { intentOf } from "../objects/invoices/invoice-payments.ts";
import { missingObject } from "../http/stripe-errors.ts";
import { readCard } from "./card-fields.ts";
import { seeOther } from "./html.ts";
import { confirmInvoicePage, expiredPage, invoicePage, type InvoiceView } from "./invoice-page.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import type { Account } from "../account.ts";

/** The hosted invoice: `/invoices/:invoice.:until`, its PDF, and `/confirm` for 3-D Secure. */
export async function answerInvoice(
  account: Account,
  request: Request,
  name: string,
  step: string | undefined,
): Promise<Response> {
  const caller = { origin: new URL(request.url).origin };
  const [id = "", until] = name.split(".");
  if (until !== undefined && Number(until) < account.clock.now()) return expiredPage();
  if (request.method === "POST") {
    const fields = await request.formData();
    const { result } = account.transact(caller, (tx) =>
      takePayment(tx, finalInvoice(tx, id), `/invoices/${name}`, fields),
    );
    return seeOther(request, result);
  }
  const problem = new URL(request.url).searchParams.get("problem");
  const { result: view } = account.transact(caller, (tx) => viewOf(tx, finalInvoice(tx, id), problem));
  if (step === "pdf") return invoicePdf(view.invoice, view.summary);
  return step === "confirm" && view.intent?.status === "requires_action" ? confirmInvoicePage(view) : invoicePage(view);
}

/** Runs the customer's choice, and returns where the browser goes next. */
function takePayment(tx: Transaction, invoice: Stripe.Invoice, here: string, fields: FormData): string {
  const answer = fields.get("answer");
  if (answer !== null) {
    answerOnPage(tx, invoice, answer === "complete");
    return here;
  }
  const typed = readCard(fields, tx.clock.now());
  if ("problem" in typed) return `${here}?problem=${typed.problem}`;
  return payOnPage(tx, invoice, typed) === "asks-holder" ? `${here}/confirm` : here;
}

function finalInvoice(tx: Transaction, id: string): Stripe.Invoice {
  const invoice = demand(tx, "invoice", id);
  if (invoice.status === "draft") throw missingObject("invoice", id);
  return invoice;
}

const viewOf = (tx: Transaction, invoice: Stripe.Invoice, problem: string | null): InvoiceView => ({
  invoice,
  summary: summarizeInvoice(tx, invoice),
  intent: intentOf(tx, invoice),
  problem,
});
