import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { demand } from "../../objects/find.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { watchPeriod } from "./watch-period.ts";

export const pendingChangeId = (subscription: string): string => `pending_change_of_${subscription}`;

/** Whether a change is waiting for this invoice to be paid (`payment_behavior: pending_if_incomplete`). */
export function isOfPendingUpdate(books: Books, invoice: Stripe.Invoice): boolean {
  const id = subscriptionOf(invoice);
  return id !== null && books.store.find("pending_change", pendingChangeId(id))?.invoice === invoice.id;
}

/** The invoice is paid: the change is applied. */
export function applyPendingUpdate(books: Books, invoice: Stripe.Invoice): void {
  const id = subscriptionOf(invoice) ?? "";
  const { changes } = demand(books, "pending_change", pendingChangeId(id));
  books.store.remove(pendingChangeId(id));
  books.clock.clearTimer("pending-update-expires", id);
  const before = demand(books, "subscription", id);
  const after = saveSubscription(books, before, { ...changes, pending_update: null });
  watchPeriod(books, after);
  if (before.pending_update !== null) books.record("customer.subscription.pending_update_applied", after);
}

/** The change's invoice is void: nothing has changed, and nothing will. */
export function forgetPendingUpdate(books: Books, invoice: Stripe.Invoice): void {
  const id = subscriptionOf(invoice) ?? "";
  books.store.remove(pendingChangeId(id));
  books.clock.clearTimer("pending-update-expires", id);
  const after = saveSubscription(books, demand(books, "subscription", id), { pending_update: null });
  books.record("customer.subscription.pending_update_expired", after);
}
