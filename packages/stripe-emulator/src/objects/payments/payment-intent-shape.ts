import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";

interface InvoiceAmount {
  customer: string;
  amount: number;
  currency: string;
  description: string;
}

/** A payment intent before any attempt. Long because Stripe's object is. */
export function openPaymentIntent(
  tx: Transaction,
  { customer, amount, currency, description }: InvoiceAmount,
): Stripe.PaymentIntent {
  const id = newId("pi");
  const intent: Stripe.PaymentIntent = {
    id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: newId(`${id}_secret`),
    confirmation_method: "automatic",
    created: tx.clock.now(),
    currency,
    customer,
    customer_account: null,
    description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card", "sepa_debit"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: "off_session",
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_group: null,
  };
  tx.store.put("payment_intent", intent, customer);
  tx.record("payment_intent.created", intent);
  return intent;
}
