import type Stripe from "stripe";
import { cancelNow, ENDED } from "../../actions/subscriptions/cancel-now.ts";
import type { Transaction } from "../../transaction.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand } from "../demand.ts";

export const customerDeletionRoutes = [
  route("DELETE", "/v1/customers/:id", nothing, (tx, _, id = "") => deleteCustomer(tx, demand(tx, "customer", id))),
];

/**
 * Permanent: running subscriptions end now. Lists still show past objects; retrieving the id reports it as deleted, and every other
 * call is answered as if the customer had never existed.
 */
export function deleteCustomer(tx: Transaction, customer: Stripe.Customer): Stripe.DeletedCustomer {
  for (const subscription of tx.store.newestFirst("subscription", customer.id)) {
    if (!ENDED.includes(subscription.status)) cancelNow(tx, subscription, {});
  }
  tx.store.remove(customer.id);
  const deleted = tx.store.put("deleted_customer", { id: customer.id, object: "customer", deleted: true });
  tx.record("customer.deleted", customer);
  return deleted;
}
