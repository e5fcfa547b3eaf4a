import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { intentOf } from "../../objects/invoices/invoice-payments.ts";
import { invalid, StripeRefusal } from "../../http/stripe-errors.ts";
import { ownMethod } from "../subscriptions/change-items.ts";
import { answerOf, collectInvoice, methodFor } from "./collect-invoice.ts";
import { customerOf } from "./finalize-invoice.ts";

interface PayInput {
  method: string | undefined;
}

/** `POST /v1/invoices/:id/pay`: there, a declined card is an error rather than a response. */
export function payInvoice(tx: Transaction, invoice: Stripe.Invoice, input: PayInput): Stripe.Invoice {
  requirePayable(tx, invoice);
  const method =
    input.method === undefined
      ? methodFor(tx, invoice)
      : ownMethod(tx, customerOf(invoice), input.method, "payment_method");
  if (method === null && invoice.amount_due > 0) throw noMethod();
  const after = collectInvoice(tx, invoice, { method, attempt: "manual" });
  if (after.status === "paid" || (method !== null && answerOf(tx, method) === "takes-days")) return after;
  throw refusalOf(tx, after);
}

function requirePayable(tx: Transaction, invoice: Stripe.Invoice): void {
  if (invoice.status === "paid") throw invalid("Invoice is already paid");
  if (invoice.status !== "open" && invoice.status !== "uncollectible")
    throw invalid(`This invoice can't be paid: it is ${invoice.status}.`, { code: "invoice_not_editable" });
  if (intentOf(tx, invoice)?.status === "processing")
    throw invalid("This invoice has a payment that is still processing.", {
      code: "invoice_payment_intent_requires_action",
    });
}

export const noMethod = (): StripeRefusal =>
  invalid(
    "This customer has no attached payment source or default payment method. Please consider adding a default payment method.",
    { code: "resource_missing" },
  );

/** What Stripe throws for a failed attempt that is stored. */
function refusalOf(tx: Transaction, invoice: Stripe.Invoice): StripeRefusal {
  const intent = intentOf(tx, invoice);
  const error = intent?.last_payment_error;
  const wantsHolder = intent?.status === "requires_action";
  return new StripeRefusal(402, {
    type: "card_error",
    code: wantsHolder ? "invoice_payment_intent_requires_action" : (error?.code ?? "card_declined"),
    message: wantsHolder
      ? "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice."
      : (error?.message ?? "Your card was declined."),
    ...(error?.decline_code !== undefined && { decline_code: error.decline_code }),
    ...(intent !== null && { payment_intent: intent }),
  });
}
