import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand } from "../../objects/demand.ts";
import { periodOf } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { differences } from "../../objects/customers/customers.ts";
import { carryOut } from "./carry-out.ts";
import { withNextPeriod } from "./end-period.ts";
import { planChange } from "./plan-change.ts";
import { watchPeriod } from "./watch-period.ts";

/**
 * Resumes from `paused`: a new cycle begins now and is charged. With an unchanged anchor, which is supported without prorations only, the
 * cycle continues as if it had never stopped, and nothing is charged before the next period.
 */
export function resumeSubscription(tx: Transaction, anchor: "now" | "unchanged", id: string): Stripe.Subscription {
  const { status_details: _, ...paused } = demand(tx, "subscription", id);
  if (paused.status !== "paused")
    throw invalid(`You can only resume subscriptions whose status is \`paused\`. This one's is \`${paused.status}\`.`);
  const subscription: Stripe.Subscription = { ...paused, status: "active" };
  const resumed = anchor === "now" ? startCycle(tx, subscription) : goOn(tx, subscription);
  tx.record("customer.subscription.resumed", resumed);
  return resumed;
}

function startCycle(tx: Transaction, subscription: Stripe.Subscription): Stripe.Subscription {
  const planned = planChange(tx, subscription, { prorationBehavior: "none", startsCycleNow: true });
  return carryOut(tx, planned, "allow_incomplete", { status: "active" });
}

function goOn(tx: Transaction, subscription: Stripe.Subscription): Stripe.Subscription {
  let resumed = subscription;
  while (periodOf(resumed).end <= tx.clock.now()) resumed = withNextPeriod(resumed, periodOf(resumed).end);
  tx.store.put("subscription", resumed);
  tx.record("customer.subscription.updated", resumed, differences({ ...subscription, status: "paused" }, resumed));
  watchPeriod(tx, resumed);
  return resumed;
}
