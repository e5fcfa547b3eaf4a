import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { decimalOnTheWire } from "../decimal.ts";
import { newId } from "../ids.ts";
import { idOf } from "./find.ts";
import { productName } from "./products.ts";

/** The local tax office: one rate, included in the price, when automatic tax is on. */
const TAX_PERCENT = 20;

export function newLines(
  books: Books,
  invoice: string,
  subscription: Stripe.Subscription,
  period: { start: number; end: number },
  discount: { id: string; amount: number } | null,
): Stripe.InvoiceLineItem[] {
  let discountLeft = discount?.amount ?? 0;
  return subscription.items.data.map((item) => {
    const amount = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
    const off = Math.min(discountLeft, amount);
    discountLeft -= off;
    return newLine(invoice, subscription, item, {
      name: productName(books, item.price),
      amount,
      period,
      discounts: discount === null || off === 0 ? [] : [{ amount: off, discount: discount.id }],
    });
  });
}

interface Amounts {
  name: string;
  amount: number;
  period: { start: number; end: number };
  discounts: { amount: number; discount: string }[];
}

function newLine(
  invoice: string,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  { name, amount, period, discounts }: Amounts,
): Stripe.InvoiceLineItem {
  const paid = amount - discounts.reduce((total, each) => total + each.amount, 0);
  return {
    id: newId("il"),
    object: "line_item",
    amount,
    currency: item.price.currency,
    description: `${item.quantity ?? 1} × ${name}`,
    discount_amounts: discounts,
    discountable: true,
    discounts: discounts.map((each) => each.discount),
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: "price_details",
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: decimalOnTheWire(item.quantity ?? 1),
    subscription: subscription.id,
    subtotal: amount,
    taxes: subscription.automatic_tax.enabled ? [inclusiveTax(paid)] : [],
  };
}

export function inclusiveTax(amount: number): Stripe.InvoiceLineItem.Tax {
  const tax = Math.round((amount * TAX_PERCENT) / (100 + TAX_PERCENT));
  return {
    amount: tax,
    tax_behavior: "inclusive",
    tax_rate_details: { tax_rate: "txr_local" },
    taxability_reason: "standard_rated",
    taxable_amount: amount - tax,
    type: "tax_rate_details",
  };
}
