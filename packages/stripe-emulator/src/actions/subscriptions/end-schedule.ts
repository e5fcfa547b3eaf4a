import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand, idOf } from "../../objects/demand.ts";

/** Releases the schedule. The caller clears the subscription's own field, together with its other changes. */
export function endSchedule(
  tx: Transaction,
  id: string,
  how: "canceled" | "completed" | "released",
): Stripe.SubscriptionSchedule {
  const schedule = demand(tx, "subscription_schedule", id);
  const now = tx.clock.now();
  tx.clock.clearTimer("schedule-phase-ends", id);
  const ended: Stripe.SubscriptionSchedule = {
    ...schedule,
    canceled_at: how === "canceled" ? now : null,
    completed_at: how === "completed" ? now : null,
    current_phase: null,
    released_at: how === "released" ? now : null,
    released_subscription: how === "released" && schedule.subscription !== null ? idOf(schedule.subscription) : null,
    status: how,
    subscription: how === "released" ? null : schedule.subscription,
  };
  tx.store.put("subscription_schedule", ended);
  tx.record(`subscription_schedule.${how}`, ended);
  return ended;
}
