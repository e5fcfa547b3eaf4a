import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { settle } from "../../money/currencies.ts";
import { billedTo } from "../../objects/customers/billed-to.ts";
import { changeBalance } from "../../objects/customers/customer-balance.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { newInvoicePayment } from "../../objects/invoices/invoice-payments.ts";
import { taxedAnew } from "../../objects/invoices/invoice-shape.ts";
import { openPaymentIntent } from "../../objects/payments/payment-intent-shape.ts";

/**
 * Gives the invoice its number, applies the customer's balance, and collects the rest. What a checkout session took from the
 * balance before there was an invoice isn't taken again, and the invoice's own balances don't include it.
 */
export function finalizeInvoice(
  tx: Transaction,
  draft: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
  takenBySession = 0,
): Stripe.Invoice {
  tx.clock.clearTimer("invoice-finalizes", draft.id);
  const customer = demand(tx, "customer", customerOf(draft));
  const { due, endingBalance } =
    takenBySession === 0
      ? settle(draft.total, customer.balance, draft.currency)
      : { due: draft.total - takenBySession, endingBalance: customer.balance };
  const sequence = customer.next_invoice_sequence ?? 1;
  tx.store.put("customer", { ...customer, next_invoice_sequence: sequence + 1 });
  const now = tx.clock.now();
  if (endingBalance !== customer.balance)
    changeBalance(tx, demand(tx, "customer", customer.id), {
      amount: endingBalance - customer.balance,
      currency: draft.currency,
      type: "applied_to_invoice",
      invoice: draft.id,
    });
  const open: Stripe.Invoice = {
    ...taxedAnew(tx, draft, customer),
    ...billedTo(tx, customer),
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    effective_at: now,
    ending_balance: endingBalance,
    hosted_invoice_url: hostedPage(tx, draft, HOSTED_DAYS),
    invoice_pdf: `${invoicePage(tx, draft)}/pdf`,
    number: `${customer.invoice_prefix ?? "LOCAL"}-${String(sequence).padStart(4, "0")}`,
    starting_balance: customer.balance,
    status: "open",
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  tx.store.put("invoice", open);
  tx.record("invoice.finalized", open);
  if (open.amount_due > 0) newInvoicePayment(tx, open, intent ?? openPaymentIntent(tx, amountOf(open)));
  return open;
}

/** Where the cardholder pays it, or answers the bank's question. */
export const invoicePage = (tx: Transaction, invoice: Stripe.Invoice): string => `${tx.origin}/invoices/${invoice.id}`;

const SECONDS_PER_DAY = 86_400;
/** An invoice's URL works for this long after finalization; one that is retrieved later works this long from then on. */
const HOSTED_DAYS = 30;
const RETRIEVED_DAYS = 10;

/** The public URL, which contains its expiry time. */
const hostedPage = (tx: Transaction, invoice: Stripe.Invoice, days: number): string =>
  `${invoicePage(tx, invoice)}.${tx.clock.now() + days * SECONDS_PER_DAY}`;

/** An invoice as retrieved: its page's URL works for at least some days. */
export function withHostedPage(tx: Transaction, invoice: Stripe.Invoice): Stripe.Invoice {
  const until = Number(invoice.hosted_invoice_url?.split(".").at(-1));
  if (invoice.hosted_invoice_url == null || until >= tx.clock.now() + RETRIEVED_DAYS * SECONDS_PER_DAY) return invoice;
  return { ...invoice, hosted_invoice_url: hostedPage(tx, invoice, RETRIEVED_DAYS) };
}

const amountOf = (invoice: Stripe.Invoice) => ({
  customer: customerOf(invoice),
  amount: invoice.amount_due,
  currency: invoice.currency,
  description: invoice.billing_reason === "subscription_create" ? "Subscription creation" : "Subscription update",
});

export function customerOf(invoice: Stripe.Invoice): string {
  if (invoice.customer === null) throw new Error(`Invoice ${invoice.id} has no customer.`);
  return idOf(invoice.customer);
}
