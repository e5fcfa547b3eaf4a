import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand } from "../../objects/demand.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { carryOut } from "./carry-out.ts";
import { planChange } from "./plan-change.ts";

/** Resumes from `paused`: a new cycle begins now and is charged. */
export function resumeSubscription(tx: Transaction, id: string): Stripe.Subscription {
  const paused = demand(tx, "subscription", id);
  if (paused.status !== "paused")
    throw invalid(`You can only resume subscriptions whose status is \`paused\`. This one's is \`${paused.status}\`.`);
  const subscription: Stripe.Subscription = { ...paused, status: "active" };
  const planned = planChange(tx, subscription, { prorationBehavior: "none", startsCycleNow: true });
  const resumed = carryOut(tx, planned, "allow_incomplete", { status: "active" });
  tx.record("customer.subscription.resumed", resumed);
  return resumed;
}
