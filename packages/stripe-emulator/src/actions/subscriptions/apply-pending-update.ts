import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { demand } from "../../objects/demand.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { watchPeriod } from "./watch-period.ts";

export const pendingChangeId = (subscription: string): string => `pending_change_of_${subscription}`;

/** Whether a change is waiting for this invoice to be paid (`payment_behavior: pending_if_incomplete`). */
export function isOfPendingUpdate(tx: Transaction, invoice: Stripe.Invoice): boolean {
  const id = subscriptionOf(invoice);
  return id !== null && tx.store.find("pending_change", pendingChangeId(id))?.invoice === invoice.id;
}

export function applyPendingUpdate(tx: Transaction, invoice: Stripe.Invoice): void {
  const id = subscriptionOf(invoice) ?? "";
  const { changes } = demand(tx, "pending_change", pendingChangeId(id));
  tx.store.remove(pendingChangeId(id));
  tx.clock.clearTimer("pending-update-expires", id);
  const before = demand(tx, "subscription", id);
  const after = saveSubscription(tx, before, { ...changes, pending_update: null });
  watchPeriod(tx, after);
  if (before.pending_update !== null) tx.record("customer.subscription.pending_update_applied", after);
}

/** The change's invoice is void: nothing has changed, and nothing will. */
export function forgetPendingUpdate(tx: Transaction, invoice: Stripe.Invoice): void {
  const id = subscriptionOf(invoice) ?? "";
  tx.store.remove(pendingChangeId(id));
  tx.clock.clearTimer("pending-update-expires", id);
  const after = saveSubscription(tx, demand(tx, "subscription", id), { pending_update: null });
  tx.record("customer.subscription.pending_update_expired", after);
}
