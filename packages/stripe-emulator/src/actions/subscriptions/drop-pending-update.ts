import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand } from "../../objects/demand.ts";
import { pendingChangeId } from "./apply-pending-update.ts";
import { voidInvoice } from "../payments/mark-invoice.ts";

/** The pending update expired, or another change replaced it. */
export function dropPendingUpdate(tx: Transaction, subscription: Stripe.Subscription): Stripe.Subscription {
  const pending = tx.store.find("pending_change", pendingChangeId(subscription.id));
  if (pending === null) return subscription;
  voidInvoice(tx, demand(tx, "invoice", pending.invoice));
  return demand(tx, "subscription", subscription.id);
}
