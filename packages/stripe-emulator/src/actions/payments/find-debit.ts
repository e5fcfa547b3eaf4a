import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { idOf } from "../../objects/demand.ts";
import { pendingItems } from "../../objects/invoices/invoice-items.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import type { Period } from "../../money/proration.ts";

interface Debit {
  /** After its discounts. */
  amount: number;
  period: Period;
  discounts: string[];
  reference: Stripe.InvoiceItem.ProrationDetails.CreditedItems;
}

/** What this item was last charged for the period that is to be credited: on an invoice, or still waiting for one. */
export function findDebit(
  tx: Transaction,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): Debit | null {
  const waiting = pendingItems(tx, subscription).findLast(
    (each) =>
      each.parent?.subscription_details?.subscription_item === item.id && each.amount >= 0 && each.period.end > at,
  );
  if (waiting !== undefined) {
    return {
      amount: waiting.amount,
      period: waiting.period,
      discounts: discountsOf(waiting.discounts),
      reference: { invoice_item: waiting.id, type: "invoice_item" },
    };
  }
  for (const invoice of invoicesThatCount(tx, subscription)) {
    const line = invoice.lines.data.findLast((each) => isDebit(each, item, at));
    if (line !== undefined) return debitOf(invoice, line);
  }
  return null;
}

/** A void invoice charged nothing, and one that a pending update is waiting for hasn't charged yet. */
function* invoicesThatCount(tx: Transaction, subscription: Stripe.Subscription): Iterable<Stripe.Invoice> {
  const pending = tx.store.find("pending_change", `pending_change_of_${subscription.id}`)?.invoice;
  for (const invoice of tx.store.newestFirst("invoice", idOf(subscription.customer))) {
    const counts = invoice.status !== "void" && invoice.id !== pending;
    if (counts && subscriptionOf(invoice) === subscription.id) yield invoice;
  }
}

const isDebit = (line: Stripe.InvoiceLineItem, item: Stripe.SubscriptionItem, at: number): boolean =>
  line.parent?.subscription_item_details?.subscription_item === item.id && line.amount >= 0 && line.period.end > at;

const debitOf = (invoice: Stripe.Invoice, line: Stripe.InvoiceLineItem): Debit => ({
  amount: line.amount - (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0),
  period: line.period,
  discounts: discountsOf(line.discounts),
  reference: {
    invoice_line_item_details: { invoice: invoice.id, invoice_line_items: [line.id] },
    type: "invoice_line_items",
  },
});

const discountsOf = (references: Stripe.InvoiceItem["discounts"] | Stripe.InvoiceLineItem["discounts"]): string[] =>
  (references ?? []).map(idOf);
