import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { cardByLast4, DECLINED, type Failure } from "../cards.ts";
import { differences, saveCustomer } from "../objects/customers.ts";
import { changeBalance } from "../objects/customer-balance.ts";
import { demand, idOf, refer } from "../objects/find.ts";
import { intentOf, markPaid, newInvoicePayment, paymentsOf } from "../objects/invoice-payments.ts";
import { subscriptionOf } from "../objects/invoice-shape.ts";
import { openIntent } from "../objects/payment-intent-shape.ts";
import { saveSubscription } from "../objects/subscription-shape.ts";
import { invalid, StripeRefusal } from "../stripe-errors.ts";
import { failIntent, succeedIntent } from "./move-intent.ts";

/** Gives the invoice its number, takes the customer's credit into account, and asks for the rest. */
export function finalizeInvoice(
  books: Books,
  draft: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
): Stripe.Invoice {
  const customer = demand(books, "customer", customerOf(draft));
  const credit = Math.min(Math.max(-customer.balance, 0), draft.total);
  const sequence = customer.next_invoice_sequence ?? 1;
  books.store.put("customer", { ...customer, next_invoice_sequence: sequence + 1 });
  const now = books.clock.now();
  if (credit > 0)
    changeBalance(books, demand(books, "customer", customer.id), {
      amount: credit,
      currency: draft.currency,
      type: "applied_to_invoice",
      invoice: draft.id,
    });
  const open: Stripe.Invoice = {
    ...draft,
    amount_due: draft.total - credit,
    amount_remaining: draft.total - credit,
    effective_at: now,
    ending_balance: customer.balance + credit,
    number: `${customer.invoice_prefix ?? "LOCAL"}-${String(sequence).padStart(4, "0")}`,
    starting_balance: customer.balance,
    status: "open",
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  books.store.put("invoice", open);
  books.record("invoice.finalized", open);
  if (open.amount_due > 0) newInvoicePayment(books, open, intent ?? openIntent(books, claimOf(open)));
  return open;
}

/** What of this total the customer's credit leaves to be paid. */
export const amountAfterCredit = (customer: Stripe.Customer, total: number): number =>
  Math.max(0, total + Math.min(0, customer.balance));

export function markInvoicePaid(books: Books, invoice: Stripe.Invoice): Stripe.Invoice {
  for (const payment of paymentsOf(books, invoice)) if (payment.status === "open") markPaid(books, payment);
  const paid: Stripe.Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (invoice.amount_due > 0 ? 1 : 0),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: "paid",
    status_transitions: { ...invoice.status_transitions, paid_at: books.clock.now() },
  };
  books.store.put("invoice", paid);
  books.record("invoice.updated", paid, differences(invoice, paid));
  books.record("invoice.paid", paid);
  books.record("invoice.payment_succeeded", paid);
  return paid;
}

/** The attempt failed: the invoice stays open, its subscription falls past due. */
export function markInvoiceUnpaid(books: Books, invoice: Stripe.Invoice): Stripe.Invoice {
  const unpaid: Stripe.Invoice = { ...invoice, attempt_count: invoice.attempt_count + 1, attempted: true };
  books.store.put("invoice", unpaid);
  books.record("invoice.updated", unpaid, differences(invoice, unpaid));
  books.record("invoice.payment_failed", unpaid);
  setStanding(books, unpaid, "past_due");
  return unpaid;
}

/** Charges an open invoice without its holder there, as at a renewal. */
export function collectInvoice(books: Books, invoice: Stripe.Invoice, chosen?: Stripe.PaymentMethod): Stripe.Invoice {
  if (invoice.amount_due === 0) return markInvoicePaid(books, invoice);
  const method = chosen ?? defaultMethodFor(books, invoice);
  const intent = intentOf(books, invoice);
  if (method === null || intent === null) return markInvoiceUnpaid(books, invoice);
  const failure = failureOf(method);
  if (failure !== null) {
    failIntent(books, intent, method, failure);
    return markInvoiceUnpaid(books, invoice);
  }
  succeedIntent(books, intent, method);
  const paid = markInvoicePaid(books, invoice);
  setStanding(books, paid, "active");
  return paid;
}

/** `POST /v1/invoices/:id/pay`: a declined card is an error there, not an answer. */
export function payOpenInvoice(books: Books, invoice: Stripe.Invoice, methodId: string | undefined): Stripe.Invoice {
  if (invoice.status === "paid") throw invalid("Invoice is already paid", { code: "invoice_already_paid" });
  if (invoice.status !== "open")
    throw invalid(`This invoice can't be paid: it is ${invoice.status}.`, { code: "invoice_not_editable" });
  const intent = intentOf(books, invoice);
  if (intent?.status === "processing")
    throw invalid("This invoice has a payment that is still processing.", {
      code: "invoice_payment_intent_requires_action",
    });
  const method = methodId === undefined ? undefined : refer(books, "payment_method", methodId, "payment_method");
  const after = collectInvoice(books, invoice, method);
  if (after.status === "paid") return after;
  const refused = intentOf(books, after);
  const error = refused?.last_payment_error;
  throw new StripeRefusal(402, {
    type: "card_error",
    code: error?.code ?? "invoice_payment_failed",
    message: error?.message ?? "There is no default payment method for this invoice.",
    ...(error?.decline_code !== undefined && { decline_code: error.decline_code }),
    ...(refused !== null && { payment_intent: refused }),
  });
}

function setStanding(books: Books, invoice: Stripe.Invoice, status: "active" | "past_due"): void {
  const id = subscriptionOf(invoice);
  const subscription = id === null ? null : books.store.find("subscription", id);
  if (subscription === null || subscription.status === status || subscription.status === "canceled") return;
  saveSubscription(books, subscription, { status });
  const customer = demand(books, "customer", customerOf(invoice));
  if (customer.delinquent !== (status === "past_due"))
    saveCustomer(books, customer, { ...customer, delinquent: status === "past_due" });
}

function defaultMethodFor(books: Books, invoice: Stripe.Invoice): Stripe.PaymentMethod | null {
  const subscriptionId = subscriptionOf(invoice);
  const subscription = subscriptionId === null ? null : books.store.find("subscription", subscriptionId);
  const customer = demand(books, "customer", customerOf(invoice));
  const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return method === null ? null : books.store.find("payment_method", idOf(method));
}

function failureOf(method: Stripe.PaymentMethod): Failure | null {
  const card = method.card === undefined ? null : cardByLast4(method.card.last4);
  return card?.later === "declines" ? DECLINED : null;
}

const claimOf = (invoice: Stripe.Invoice) => ({
  customer: customerOf(invoice),
  amount: invoice.amount_due,
  currency: invoice.currency,
  description: "Subscription update",
});

export function customerOf(invoice: Stripe.Invoice): string {
  if (invoice.customer === null) throw new Error(`Invoice ${invoice.id} has no customer.`);
  return idOf(invoice.customer);
}
