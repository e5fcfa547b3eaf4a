import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { decimalOnTheWire } from "../../money/decimal.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import type { Period } from "../../money/proration.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand, idOf } from "../demand.ts";

export const invoiceItemRoutes = [
  route("GET", "/v1/invoiceitems", readQuery, listInvoiceItems),
  route("GET", "/v1/invoiceitems/:id", nothing, (tx, _, id = "") => demand(tx, "invoice_item", id)),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    invoice: form.text("invoice"),
    pending: form.flag("pending"),
    created: form.range("created"),
  };
}

function listInvoiceItems(
  tx: Transaction,
  { page, customer, invoice, pending, created }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (item: Stripe.InvoiceItem): boolean =>
    (invoice === undefined || item.invoice === invoice) &&
    (pending === undefined || (item.invoice === null) === pending) &&
    created(item.date);
  return paginate("/v1/invoiceitems", page, only(tx.store.newestFirst("invoice_item", customer), isWanted));
}

interface Proration {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
  amount: number;
  period: Period;
  description: string;
  credits: Stripe.InvoiceItem.ProrationDetails.CreditedItems | null;
  discounts: string[];
}

/** A credit or charge pending for an invoice. Not stored: a preview creates them too. Long because Stripe's object is. */
export const newInvoiceItem = (now: number, proration: Proration): Stripe.InvoiceItem => ({
  id: newId("ii"),
  object: "invoiceitem",
  amount: proration.amount,
  currency: proration.item.price.currency,
  customer: proration.subscription.customer,
  customer_account: null,
  date: now,
  description: proration.description,
  discountable: false,
  discounts: proration.discounts,
  frozen_fields: [],
  invoice: null,
  invoicing_rules: [],
  livemode: false,
  metadata: proration.subscription.metadata,
  net_amount: proration.amount,
  parent: {
    subscription_details: { subscription: proration.subscription.id, subscription_item: proration.item.id },
    type: "subscription_details",
  },
  period: proration.period,
  pricing: {
    price_details: { price: proration.item.price.id, product: idOf(proration.item.price.product) },
    type: "price_details",
    unit_amount_decimal: proration.item.price.unit_amount_decimal,
  },
  proration: true,
  proration_details: {
    credited_items: proration.credits,
    // The amount already includes the discount: `proration_discounts: included`.
    discount_amounts: proration.discounts.map((discount) => ({ amount: 0, discount })),
  },
  quantity: proration.item.quantity ?? 1,
  quantity_decimal: decimalOnTheWire(proration.item.quantity ?? 1),
  tax_rates: [],
  test_clock: proration.subscription.test_clock,
});

/** Pending items for the subscription's next invoice, oldest first. */
export const pendingItems = (tx: Transaction, subscription: Stripe.Subscription): Stripe.InvoiceItem[] =>
  [...tx.store.newestFirst("invoice_item", idOf(subscription.customer))]
    .filter((item) => item.invoice === null && subscriptionOfItem(item) === subscription.id)
    .reverse();

const subscriptionOfItem = (item: Stripe.InvoiceItem): string | null =>
  item.parent?.subscription_details?.subscription ?? null;

export function saveInvoiceItem(tx: Transaction, item: Stripe.InvoiceItem): Stripe.InvoiceItem {
  const isNew = tx.store.find("invoice_item", item.id) === null;
  tx.store.put("invoice_item", item, idOf(item.customer));
  if (isNew) tx.record("invoiceitem.created", item);
  return item;
}
