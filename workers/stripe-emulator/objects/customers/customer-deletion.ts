import type Stripe from "stripe";
import { cancelNow, ENDED } from "../../actions/subscriptions/cancel-subscription.ts";
import type { Books } from "../../books.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand } from "../find.ts";

export const customerDeletionRoutes = [
  route("DELETE", "/v1/customers/:id", nothing, (books, _, id = "") =>
    deleteCustomer(books, demand(books, "customer", id)),
  ),
];

/**
 * Permanent: running subscriptions end now. Lists still show past objects; retrieving the id reports it as deleted, and every other
 * call is answered as if the customer had never existed.
 */
export function deleteCustomer(books: Books, customer: Stripe.Customer): Stripe.DeletedCustomer {
  for (const subscription of books.store.newestFirst("subscription", customer.id)) {
    if (!ENDED.includes(subscription.status)) cancelNow(books, subscription, {});
  }
  books.store.remove(customer.id);
  const deleted = books.store.put("deleted_customer", { id: customer.id, object: "customer", deleted: true });
  books.record("customer.deleted", customer);
  return deleted;
}
