import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { saveSubscription } from "../objects/subscription-shape.ts";
import { pendingChangeId } from "./apply-pending-update.ts";
import { voidInvoice } from "./settle-invoice.ts";

/** Time is up, or something else was asked for: the invoice is void and nothing has changed. */
export function dropPendingUpdate(books: Books, subscription: Stripe.Subscription): Stripe.Subscription {
  const pending = books.store.find("pending_change", pendingChangeId(subscription.id));
  if (pending === null) return subscription;
  books.clock.clearTimer("pending-update-expires", subscription.id);
  const invoice = books.store.find("invoice", pending.invoice);
  if (invoice?.status === "open") voidInvoice(books, invoice);
  books.store.remove(pendingChangeId(subscription.id));
  const after = saveSubscription(books, subscription, { pending_update: null });
  books.record("customer.subscription.pending_update_expired", after);
  return after;
}
