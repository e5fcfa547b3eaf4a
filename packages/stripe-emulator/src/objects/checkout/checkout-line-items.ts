import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";

/** A session's line items are stored separately: Stripe returns them only when they are expanded. */
export const lineItemsOf = (tx: Transaction, session: Stripe.Checkout.Session): Stripe.LineItem[] =>
  tx.store.find("line_items", `line_items_of_${session.id}`)?.data ?? [];
