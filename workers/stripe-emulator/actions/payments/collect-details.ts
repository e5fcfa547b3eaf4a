import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { lineItemsOf } from "../../objects/checkout/checkout-line-items.ts";
import { saveCustomer } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { inclusiveTax } from "../../objects/invoices/invoice-lines.ts";
import { addTaxId, taxIdsOf } from "../../objects/customers/tax-ids.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { readTaxId, type TypedTaxId } from "../../money/read-tax-id.ts";

/** What a customer types at checkout in addition to the card. */
export interface Details {
  /** If it is empty, the customer's stored name applies. */
  name: string;
  address: Stripe.Address | null;
  taxId: TypedTaxId | null;
}

/** For callers that need no particular details on the invoice: a quick manual purchase, a test. */
export const SAMPLE_DETAILS: Details & { address: Stripe.Address } = {
  name: "Sample Customer",
  address: {
    city: "Dublin",
    country: "IE",
    line1: "1 Example Street",
    line2: null,
    postal_code: "D02 X285",
    state: null,
  },
  taxId: null,
};

export const asksAddress = (session: Stripe.Checkout.Session): boolean =>
  session.billing_address_collection === "required" || session.automatic_tax.enabled;

export const asksTaxId = (session: Stripe.Checkout.Session): boolean => session.tax_id_collection?.enabled === true;

export const lacksAddress = (session: Stripe.Checkout.Session): boolean =>
  asksAddress(session) && session.customer_details?.address?.country == null;

/** The tax depends on the place; it is part of the price and changes no total. */
export function collectDetails(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  details: Details,
): Stripe.Checkout.Session {
  const { customer_details: before } = session;
  if (before === null) throw new Error(`Session ${session.id} has no customer.`);
  const name = details.name === "" ? before.name : details.name;
  const located: Stripe.Checkout.Session = {
    ...session,
    customer_details: {
      ...before,
      name,
      ...(asksAddress(session) && { address: details.address }),
      ...(asksTaxId(session) && { tax_ids: details.taxId === null ? [] : [details.taxId] }),
    },
  };
  return tx.store.put("checkout_session", withTax(tx, located));
}

function withTax(tx: Transaction, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.automatic_tax.status !== "requires_location_inputs" || lacksAddress(session)) return session;
  const items = lineItemsOf(tx, session).map((item) => ({
    ...item,
    amount_tax: inclusiveTax(item.amount_total).amount,
  }));
  tx.store.put("line_items", { id: `line_items_of_${session.id}`, data: items });
  return {
    ...session,
    automatic_tax: { ...session.automatic_tax, status: "complete" },
    total_details:
      session.total_details === null
        ? null
        : { ...session.total_details, amount_tax: inclusiveTax(session.amount_total ?? 0).amount },
  };
}

/** The customer with the details typed here: who holds the card or bank account. */
export function payerOf(tx: Transaction, session: Stripe.Checkout.Session): Stripe.Customer {
  if (lacksAddress(session))
    throw invalid("This Checkout Session asks for a billing address first.", {
      code: "customer_tax_location_invalid",
    });
  const customer = demand(tx, "customer", session.customer === null ? "" : idOf(session.customer));
  const { name, address } = session.customer_details ?? {};
  return { ...customer, name: name ?? customer.name, address: address ?? customer.address };
}

/** Checkout is complete, so the details that the site asked to save are stored on the customer. */
export function keepDetails(tx: Transaction, session: Stripe.Checkout.Session): void {
  const progress = demand(tx, "checkout_progress", `progress_of_${session.id}`);
  const customer = demand(tx, "customer", progress.customer);
  const updated: Stripe.Customer = {
    ...customer,
    address: progress.saves_address ? (session.customer_details?.address ?? customer.address) : customer.address,
    name: progress.saves_name ? (session.customer_details?.name ?? customer.name) : customer.name,
  };
  if (JSON.stringify(updated) !== JSON.stringify(customer)) saveCustomer(tx, customer, updated);
  const known = taxIdsOf(tx, customer).map(({ value }) => value);
  for (const { value } of session.customer_details?.tax_ids ?? []) {
    const taxId = readTaxId(value ?? "");
    if (taxId !== null && !known.includes(taxId.value)) addTaxId(tx, customer, taxId);
  }
}
