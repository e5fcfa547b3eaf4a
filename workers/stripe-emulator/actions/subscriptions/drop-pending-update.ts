import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { demand } from "../../objects/find.ts";
import { pendingChangeId } from "./apply-pending-update.ts";
import { voidInvoice } from "../payments/settle-invoice.ts";

/** The pending update expired, or another change replaced it. */
export function dropPendingUpdate(books: Books, subscription: Stripe.Subscription): Stripe.Subscription {
  const pending = books.store.find("pending_change", pendingChangeId(subscription.id));
  if (pending === null) return subscription;
  voidInvoice(books, demand(books, "invoice", pending.invoice));
  return demand(books, "subscription", subscription.id);
}
