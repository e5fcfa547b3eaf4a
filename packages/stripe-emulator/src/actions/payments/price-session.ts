import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { inclusiveTax, type Taxability } from "../../money/tax.ts";
import { lineItemsOf } from "../../objects/checkout/checkout-line-items.ts";
import { taxIdsOf } from "../../objects/customers/tax-ids.ts";
import { taxabilityOf } from "../../objects/customers/taxability.ts";
import { demand, idOf } from "../../objects/demand.ts";

type Session = Stripe.Checkout.Session;

/** The session and its line items with a discount, and with the tax of where the customer is. Tax is part of the price and changes no total. */
export function priceSession(tx: Transaction, session: Session, discount: number): Session {
  const taxability = taxabilityIn(tx, session);
  const taxIn = (amount: number): number => (taxability === null ? 0 : inclusiveTax(amount, taxability).amount);
  let discountLeft = discount;
  const items = lineItemsOf(tx, session).map((item): Stripe.LineItem => {
    const off = Math.min(discountLeft, item.amount_subtotal);
    discountLeft -= off;
    const total = item.amount_subtotal - off;
    return { ...item, amount_discount: off, amount_tax: taxIn(total), amount_total: total };
  });
  tx.store.put("line_items", { id: `line_items_of_${session.id}`, data: items });
  const total = (session.amount_subtotal ?? 0) - discount;
  return tx.store.put("checkout_session", {
    ...session,
    amount_total: total,
    automatic_tax: {
      ...session.automatic_tax,
      status: session.automatic_tax.enabled ? (taxability === null ? "requires_location_inputs" : "complete") : null,
    },
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: taxIn(total) },
  });
}

/** By what is typed here and what is known of the customer. Null without automatic tax, and before there is a place. */
function taxabilityIn(tx: Transaction, { automatic_tax, customer: id, customer_details }: Session): Taxability | null {
  const { address = null, tax_ids: typed = null } = customer_details ?? {};
  if (!automatic_tax.enabled || address?.country == null || id === null) return null;
  const customer = demand(tx, "customer", idOf(id));
  const taxIds = [...taxIdsOf(tx, customer), ...(typed ?? [])].map(({ value }) => value);
  return taxabilityOf({ ...customer, address }, taxIds);
}
