import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { newId } from "../../ids.ts";
import { idOf } from "../find.ts";

/** Links an invoice to its payment intent. */
export function newInvoicePayment(
  books: Books,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Stripe.InvoicePayment {
  return books.store.put(
    "invoice_payment",
    {
      id: newId("inpay"),
      object: "invoice_payment",
      amount_paid: null,
      amount_requested: invoice.amount_remaining,
      created: books.clock.now(),
      currency: invoice.currency,
      invoice: invoice.id,
      is_default: true,
      livemode: false,
      payment: { payment_intent: intent.id, type: "payment_intent" },
      status: "open",
      status_transitions: { canceled_at: null, paid_at: null },
    },
    intent.customer === null ? null : idOf(intent.customer),
  );
}

export function paymentsOf(books: Books, invoice: Stripe.Invoice): Stripe.InvoicePayment[] {
  const customer = invoice.customer === null ? undefined : idOf(invoice.customer);
  return [...books.store.newestFirst("invoice_payment", customer)].filter((payment) => payment.invoice === invoice.id);
}

/** The payment intent of an open invoice. */
export function intentOf(books: Books, invoice: Stripe.Invoice): Stripe.PaymentIntent | null {
  const id = paymentsOf(books, invoice)[0]?.payment.payment_intent;
  return id === undefined ? null : books.store.find("payment_intent", idOf(id));
}

export function markPaid(books: Books, payment: Stripe.InvoicePayment): void {
  const paid: Stripe.InvoicePayment = {
    ...payment,
    amount_paid: payment.amount_requested,
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: books.clock.now() },
  };
  books.store.put("invoice_payment", paid);
  books.record("invoice_payment.paid", paid);
}
