import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { saveCustomer } from "../../objects/customers/customers.ts";
import { demand } from "../../objects/demand.ts";
import type { Details } from "./collect-details.ts";

export function changeDetails(
  tx: Transaction,
  session: Stripe.BillingPortal.Session,
  { name, address }: Details,
): void {
  const customer = demand(tx, "customer", session.customer);
  saveCustomer(tx, customer, { ...customer, name, address });
}
