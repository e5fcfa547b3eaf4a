import type Stripe from "stripe";

/** Where the emulated account is, and so where its sales are taxed by the standard rate. */
export const ACCOUNT_COUNTRY = "IE";
/** The emulated tax calculation: one rate, included in the price, wherever the customer is. */
export const TAX_PERCENT = 20;
export const STANDARD_RATE_ID = "txr_local";
/** The rate of a tax that isn't collected, as Stripe has one for each place. */
export const ZERO_RATE_ID = "txr_local_zero";

export type Taxability = "customer_exempt" | "reverse_charge" | "standard_rated";

/**
 * The tax in an amount. A price that includes tax stays the same if none is collected, as at Stripe. A credit's tax is negative, and equals
 * that of the charge.
 */
export function inclusiveTax(amount: number, taxability: Taxability): Stripe.InvoiceLineItem.Tax {
  const isCollected = taxability === "standard_rated";
  const size = isCollected ? Math.round((Math.abs(amount) * TAX_PERCENT) / (100 + TAX_PERCENT)) : 0;
  const tax = amount < 0 && size > 0 ? -size : size;
  return {
    amount: tax,
    tax_behavior: "inclusive",
    tax_rate_details: { tax_rate: isCollected ? STANDARD_RATE_ID : ZERO_RATE_ID },
    taxability_reason: taxability,
    taxable_amount: isCollected ? amount - tax : 0,
    type: "tax_rate_details",
  };
}
