import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { idOf } from "../demand.ts";

/** Links an invoice to its payment intent. */
export function newInvoicePayment(
  tx: Transaction,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Stripe.InvoicePayment {
  return tx.store.put(
    "invoice_payment",
    {
      id: newId("inpay"),
      object: "invoice_payment",
      amount_paid: null,
      amount_requested: invoice.amount_remaining,
      created: tx.clock.now(),
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

export function paymentsOf(tx: Transaction, invoice: Stripe.Invoice): Stripe.InvoicePayment[] {
  const customer = invoice.customer === null ? undefined : idOf(invoice.customer);
  return [...tx.store.newestFirst("invoice_payment", customer)].filter((payment) => payment.invoice === invoice.id);
}

export function intentOf(tx: Transaction, invoice: Stripe.Invoice): Stripe.PaymentIntent | null {
  const id = paymentsOf(tx, invoice)[0]?.payment.payment_intent;
  return id === undefined ? null : tx.store.find("payment_intent", idOf(id));
}

export function markPaid(tx: Transaction, payment: Stripe.InvoicePayment): void {
  const paid: Stripe.InvoicePayment = {
    ...payment,
    amount_paid: payment.amount_requested,
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: tx.clock.now() },
  };
  tx.store.put("invoice_payment", paid);
  tx.record("invoice_payment.paid", paid);
}
