import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { settle } from "../../money/currencies.ts";
import { newId } from "../../ids.ts";
import { wholeList } from "../../http/lists.ts";
import type { Period } from "../../money/proration.ts";
import { billedTo } from "../customers/billed-to.ts";
import { taxabilityOfCustomer } from "../customers/taxability.ts";
import { ACCOUNT_COUNTRY } from "../../money/tax.ts";
import { demand, idOf } from "../demand.ts";
import { saveInvoiceItem } from "./invoice-items.ts";
import { type Discount, itemLine, periodLines, totalTaxes, withTax } from "./invoice-lines.ts";

export interface Bill {
  /** The subscription after the change that is billed. */
  subscription: Stripe.Subscription;
  reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";
  /** Stripe's invoice period is the past one; the lines contain the period that is paid for. */
  period: Period;
  /** Pending credits and charges. They come first, as at Stripe. */
  items: Stripe.InvoiceItem[];
  /** Whether the subscription's current period is charged too. */
  hasPeriod: boolean;
  /** Deducted from the period's lines: prorations already include theirs. */
  discount: Discount | null;
}

/** The content of an invoice. Nothing is stored: a preview and the invoice itself use the same code. */
export function composeInvoice(tx: Transaction, id: string, bill: Bill): Stripe.Invoice {
  const { subscription } = bill;
  const customer = demand(tx, "customer", idOf(subscription.customer));
  const holder = { invoice: id, subscription, taxability: taxabilityOfCustomer(tx, customer) };
  const lines = [
    ...bill.items.map((item) => itemLine(holder, item)),
    ...(bill.hasPeriod ? periodLines(tx, holder, bill.discount) : []),
  ];
  return {
    ...emptyInvoice(id, tx.clock.now(), customer),
    ...billedTo(tx, customer),
    ...totalsOf(lines, bill.discount, subscription.currency, customer.balance),
    automatic_tax: subscription.automatic_tax.enabled
      ? { disabled_reason: null, enabled: true, liability: { type: "self" }, provider: "stripe", status: "complete" }
      : { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    billing_reason: bill.reason,
    currency: subscription.currency,
    default_payment_method: null,
    discounts: bill.discount === null ? [] : [bill.discount.id],
    lines: wholeList(`/v1/invoices/${id}/lines`, lines),
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    period_end: bill.period.end,
    period_start: bill.period.start,
  };
}

/** A draft: what is owed, not yet collected. Its pending items are no longer pending. */
export function draftInvoice(tx: Transaction, bill: Bill): Stripe.Invoice {
  const invoice = composeInvoice(tx, newId("in"), bill);
  for (const item of bill.items) saveInvoiceItem(tx, { ...item, invoice: invoice.id });
  tx.store.put("invoice", invoice, idOf(bill.subscription.customer));
  tx.record("invoice.created", invoice);
  return invoice;
}

function totalsOf(lines: Stripe.InvoiceLineItem[], discount: Discount | null, currency: string, balance: number) {
  const subtotal = sum(lines.map((line) => line.amount));
  const total = subtotal - (discount?.amount ?? 0);
  const { due } = settle(total, balance, currency);
  return {
    amount_due: due,
    amount_remaining: due,
    subtotal,
    total,
    total_discount_amounts: discount === null ? [] : [{ amount: discount.amount, discount: discount.id }],
    ...taxTotals(lines, { subtotal, total }),
  };
}

function taxTotals(lines: Stripe.InvoiceLineItem[], { subtotal, total }: Pick<Stripe.Invoice, "subtotal" | "total">) {
  const taxes = totalTaxes(lines);
  const tax = sum(taxes.map((each) => each.amount));
  return { subtotal_excluding_tax: subtotal - tax, total_excluding_tax: total - tax, total_taxes: taxes };
}

/** The draft's taxes by the customer's details as they are now: the last time that they are calculated. */
export function taxedAnew(tx: Transaction, draft: Stripe.Invoice, customer: Stripe.Customer): Stripe.Invoice {
  if (!draft.automatic_tax.enabled) return draft;
  const taxability = taxabilityOfCustomer(tx, customer);
  const data = draft.lines.data.map((line) => withTax(line, taxability));
  return { ...draft, lines: { ...draft.lines, data }, ...taxTotals(data, draft) };
}

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Every field that doesn't depend on what is billed. Long because Stripe's object is. */
const emptyInvoice = (id: string, now: number, customer: Stripe.Customer) => ({
  id,
  object: "invoice" as const,
  account_country: ACCOUNT_COUNTRY,
  account_name: "Stripe emulator",
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatically_finalizes_at: null,
  collection_method: "charge_automatically",
  created: now,
  custom_fields: null,
  customer: customer.id,
  customer_account: null,
  customer_shipping: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  due_date: null,
  effective_at: null,
  ending_balance: null,
  footer: customer.invoice_settings.footer,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: "self" },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: customer.balance,
  statement_descriptor: null,
  status: "draft",
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  test_clock: customer.test_clock ?? null,
  total_pretax_credit_amounts: [],
  webhooks_delivered_at: now,
});

export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  const subscription = invoice.parent?.subscription_details?.subscription;
  return subscription === undefined ? null : idOf(subscription);
}
