import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { taxIdsOf } from "./tax-ids.ts";

/** Who an invoice is made out to, as the customer is now. A finalized invoice doesn't change. */
export const billedTo = (tx: Transaction, customer: Stripe.Customer) => ({
  customer_address: customer.address ?? null,
  customer_email: customer.email,
  customer_name: customer.name ?? null,
  customer_phone: customer.phone ?? null,
  customer_tax_exempt: customer.tax_exempt ?? null,
  // Oldest first, in the order of creation.
  customer_tax_ids: taxIdsOf(tx, customer)
    .map(({ type, value }) => ({ type, value }))
    .toReversed(),
});
