import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { saveCustomer } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";

/** These statuses don't follow from an invoice, or no longer follow from one. */
const APART = ["canceled", "incomplete_expired", "paused", "trialing"];

/**
 * A subscription's status follows its latest invoice, at Stripe too: paying an older one leaves it past due, or unpaid while the latest is a
 * draft. Voided invoices don't count, and one that is written off counts as paid.
 * https://docs.stripe.com/billing/subscriptions/overview#unpaid-subscriptions
 */
export function refreshStatus(tx: Transaction, changed: Stripe.Invoice): void {
  const id = subscriptionOf(changed);
  const subscription = id === null ? null : tx.store.find("subscription", id);
  if (subscription === null || APART.includes(subscription.status)) return;
  const latest = latestOf(tx, subscription);
  if (latest === null) return;
  const isGood = latest.status === "paid" || latest.status === "uncollectible";
  if (isGood) setStatus(tx, subscription, "active");
  else if (latest.attempted && subscription.status === "active") setStatus(tx, subscription, "past_due");
}

/** The invoice of a pending update is left out: until it is paid, the subscription continues unchanged. */
function latestOf(tx: Transaction, subscription: Stripe.Subscription): Stripe.Invoice | null {
  const pending = tx.store.find("pending_change", `pending_change_of_${subscription.id}`)?.invoice;
  for (const invoice of tx.store.newestFirst("invoice", idOf(subscription.customer))) {
    if (invoice.status !== "void" && invoice.id !== pending && subscriptionOf(invoice) === subscription.id)
      return invoice;
  }
  return null;
}

export function setStatus(
  tx: Transaction,
  subscription: Stripe.Subscription,
  status: "active" | "past_due",
): Stripe.Subscription {
  if (subscription.status === status) return subscription;
  const saved = saveSubscription(tx, subscription, { status });
  tx.clock.clearTimer("incomplete-expires", subscription.id);
  const customer = demand(tx, "customer", idOf(subscription.customer));
  const isDelinquent = status === "past_due";
  if (customer.delinquent !== isDelinquent) saveCustomer(tx, customer, { ...customer, delinquent: isDelinquent });
  return saved;
}
