import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { idOf } from "../../objects/demand.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { pendingChangeId } from "./apply-pending-update.ts";
import { endSchedule } from "./end-schedule.ts";
import { stopWatching } from "./watch-period.ts";

/** Permanent: a cancelled subscription can't be resumed. */
export const ENDED = ["canceled", "incomplete_expired"];

export interface Cancellation {
  comment?: string | undefined;
  feedback?: Stripe.Subscription.CancellationDetails.Feedback | undefined;
}

/** Ends it now. Open invoices stay open but are no longer collected automatically, as at Stripe. */
export function cancelNow(
  tx: Transaction,
  subscription: Stripe.Subscription,
  details: Cancellation,
  reason: "cancellation_requested" | "payment_failed" = "cancellation_requested",
): Stripe.Subscription {
  const now = tx.clock.now();
  stopWatching(tx, subscription);
  stopCollecting(tx, subscription);
  tx.store.remove(pendingChangeId(subscription.id));
  if (subscription.schedule !== null) endSchedule(tx, idOf(subscription.schedule), "canceled");
  const canceled: Stripe.Subscription = {
    ...subscription,
    canceled_at: subscription.canceled_at ?? now,
    cancel_at: subscription.cancel_at,
    cancellation_details: {
      comment: details.comment ?? subscription.cancellation_details?.comment ?? null,
      feedback: details.feedback ?? subscription.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason,
    },
    ended_at: now,
    pending_update: null,
    schedule: null,
    status: "canceled",
  };
  tx.store.put("subscription", canceled);
  tx.record("customer.subscription.deleted", canceled);
  return canceled;
}

function stopCollecting(tx: Transaction, subscription: Stripe.Subscription): void {
  for (const invoice of tx.store.newestFirst("invoice", idOf(subscription.customer))) {
    const isOpen = invoice.status === "open" || invoice.status === "draft";
    if (!isOpen || subscriptionOf(invoice) !== subscription.id) continue;
    tx.clock.clearTimer("invoice-retries", invoice.id);
    tx.clock.clearTimer("invoice-finalizes", invoice.id);
    tx.store.put("invoice", {
      ...invoice,
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    });
  }
}
