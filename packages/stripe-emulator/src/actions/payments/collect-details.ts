import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { saveCustomer } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { addTaxId, taxIdsOf } from "../../objects/customers/tax-ids.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { readTaxId, type TypedTaxId } from "../../money/read-tax-id.ts";
import { priceSession } from "./price-session.ts";

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

/** The tax depends on the place and on the VAT id. */
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
  return priceSession(tx, located, session.total_details?.amount_discount ?? 0);
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
