import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { decimalOnTheWire } from "../../money/decimal.ts";
import { newId } from "../../ids.ts";
import { type Period, spread } from "../../money/proration.ts";
import { idOf } from "../demand.ts";
import { productName } from "../catalogue/products.ts";

/** The emulated tax calculation: one rate, included in the price, when automatic tax is on. */
export const TAX_PERCENT = 20;
export const TAX_RATE_ID = "txr_local";

export interface Discount {
  id: string;
  amount: number;
}

interface Holder {
  invoice: string;
  subscription: Stripe.Subscription;
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

function newLine({ invoice, subscription }: Holder, line: Line): Stripe.InvoiceLineItem {
  const paid = line.amount - line.discounts.reduce((total, each) => total + each.amount, 0);
  return {
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
    taxes: subscription.automatic_tax.enabled ? [inclusiveTax(paid)] : [],
  };
}

/** A credit's tax is negative, and equals that of the charge. */
export function inclusiveTax(amount: number): Stripe.InvoiceLineItem.Tax {
  const size = Math.round((Math.abs(amount) * TAX_PERCENT) / (100 + TAX_PERCENT));
  const tax = amount < 0 && size > 0 ? -size : size;
  return {
    amount: tax,
    tax_behavior: "inclusive",
    tax_rate_details: { tax_rate: TAX_RATE_ID },
    taxability_reason: "standard_rated",
    taxable_amount: amount - tax,
    type: "tax_rate_details",
  };
}

/** An invoice lists each rate once. */
export function totalTaxes(lines: Stripe.InvoiceLineItem[]): Stripe.InvoiceLineItem.Tax[] {
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
