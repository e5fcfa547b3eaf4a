import type Stripe from "stripe";
import type { Books } from "../../books.ts";

/** A session's line items are stored separately: Stripe returns them only when they are expanded. */
export const lineItemsOf = (books: Books, session: Stripe.Checkout.Session): Stripe.LineItem[] =>
  books.store.find("line_items", `line_items_of_${session.id}`)?.data ?? [];
