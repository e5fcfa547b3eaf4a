import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { voidInvoice } from "../payments/mark-invoice.ts";
import { stopWatching } from "./watch-period.ts";

/** The first payment didn't arrive in time: the subscription expires without having started, and its invoice is void. */
export function expireIncomplete(tx: Transaction, subscription: Stripe.Subscription): void {
  if (subscription.status !== "incomplete") return;
  stopWatching(tx, subscription);
  saveSubscription(tx, subscription, { ended_at: tx.clock.now(), status: "incomplete_expired" });
  if (subscription.latest_invoice === null) return;
  const invoice = demand(tx, "invoice", idOf(subscription.latest_invoice));
  if (invoice.status === "open") voidInvoice(tx, invoice);
}
