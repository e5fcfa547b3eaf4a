import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { decimalOnTheWire } from "../../money/decimal.ts";
import { newId } from "../../ids.ts";
import { type Period, spread } from "../../money/proration.ts";
import { inclusiveTax, type Taxability } from "../../money/tax.ts";
import { idOf } from "../demand.ts";
import { productName } from "../catalogue/products.ts";

export interface Discount {
  id: string;
  amount: number;
}

interface Holder {
  invoice: string;
  subscription: Stripe.Subscription;
  taxability: Taxability;
}

export const grossOf = (item: Stripe.SubscriptionItem): number => (item.price.unit_amount ?? 0) * (item.quantity ?? 1);

/** One line per item for a whole period. A trial's lines cost nothing. */
export function periodLines(tx: Transaction, holder: Holder, discount: Discount | null): Stripe.InvoiceLineItem[] {
  const { subscription } = holder;
  const isTrial = subscription.status === "trialing";
  const grosses = subscription.items.data.map((item) => (isTrial ? 0 : grossOf(item)));
  const offs = spread(discount?.amount ?? 0, grosses, subscription.currency);
  return subscription.items.data.map((item, index) => {
    const off = offs[index] ?? 0;
    const name = productName(tx, item.price);
    return newLine(holder, {
      amount: grosses[index] ?? 0,
      currency: item.price.currency,
      description: isTrial ? `Trial period for ${name}` : `${item.quantity ?? 1} × ${name}`,
      discounts: discount === null || off === 0 ? [] : [{ amount: off, discount: discount.id }],
      period: { start: item.current_period_start, end: item.current_period_end },
      price: { price: item.price.id, product: idOf(item.price.product) },
      unitAmount: item.price.unit_amount_decimal,
      quantity: item.quantity ?? 1,
      subscriptionItem: item.id,
      invoiceItem: null,
    });
  });
}

/** The line of a pending proration. */
export const itemLine = (holder: Holder, item: Stripe.InvoiceItem): Stripe.InvoiceLineItem =>
  newLine(holder, {
    amount: item.amount,
    currency: item.currency,
    description: item.description ?? "",
    discounts: (item.proration_details?.discount_amounts ?? []).map(({ amount, discount }) => ({
      amount,
      discount: idOf(discount),
    })),
    period: item.period,
    price: item.pricing?.price_details ?? { price: "", product: "" },
    unitAmount: item.pricing?.unit_amount_decimal ?? null,
    quantity: item.quantity,
    subscriptionItem: item.parent?.subscription_details?.subscription_item ?? "",
    invoiceItem: item,
  });

interface Line {
  amount: number;
  currency: string;
  description: string;
  discounts: { amount: number; discount: string }[];
  period: Period;
  price: Stripe.InvoiceLineItem.Pricing.PriceDetails;
  unitAmount: Stripe.Decimal | null;
  quantity: number;
  subscriptionItem: string;
  /** Set for a proration. */
  invoiceItem: Stripe.InvoiceItem | null;
}

function newLine({ invoice, subscription, taxability }: Holder, line: Line): Stripe.InvoiceLineItem {
  const bare: Stripe.InvoiceLineItem = {
    id: newId("il"),
    object: "line_item",
    amount: line.amount,
    currency: line.currency,
    description: line.description,
    discount_amounts: line.discounts,
    discountable: line.invoiceItem === null,
    discounts: line.discounts.map((each) => each.discount),
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: line.invoiceItem?.id ?? null,
        proration: line.invoiceItem !== null,
        proration_details: {
          credited_items: line.invoiceItem?.proration_details?.credited_items?.invoice_line_item_details ?? null,
        },
        subscription: subscription.id,
        subscription_item: line.subscriptionItem,
      },
      type: "subscription_item_details",
    },
    period: line.period,
    pretax_credit_amounts: [],
    pricing: { price_details: line.price, type: "price_details", unit_amount_decimal: line.unitAmount },
    quantity: line.quantity,
    quantity_decimal: decimalOnTheWire(line.quantity),
    subscription: subscription.id,
    subtotal: line.amount,
    taxes: [],
  };
  return subscription.automatic_tax.enabled ? withTax(bare, taxability) : bare;
}

/** The line with its tax. It changes with the customer until the invoice is finalized. */
export function withTax(line: Stripe.InvoiceLineItem, taxability: Taxability): Stripe.InvoiceLineItem {
  const paid = line.amount - (line.discount_amounts ?? []).reduce((total, each) => total + each.amount, 0);
  return { ...line, taxes: [inclusiveTax(paid, taxability)] };
}

/** An invoice lists each rate once. */
export function totalTaxes(lines: { taxes: Stripe.InvoiceLineItem.Tax[] | null }[]): Stripe.InvoiceLineItem.Tax[] {
  const byRate = new Map<string, Stripe.InvoiceLineItem.Tax>();
  for (const tax of lines.flatMap((line) => line.taxes ?? [])) {
    const rate = tax.tax_rate_details?.tax_rate ?? "";
    const before = byRate.get(rate);
    byRate.set(rate, {
      ...tax,
      amount: tax.amount + (before?.amount ?? 0),
      taxable_amount: (tax.taxable_amount ?? 0) + (before?.taxable_amount ?? 0),
    });
  }
  return [...byRate.values()];
}
