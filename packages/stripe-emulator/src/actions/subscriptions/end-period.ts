import type Stripe from "stripe";
import { DRAFT_SECONDS } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { periodEnd } from "../../time/period-end.ts";
import { currentDiscount, discountsAfter } from "../../objects/invoices/discounts.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { pendingItems } from "../../objects/invoices/invoice-items.ts";
import { draftInvoice } from "../../objects/invoices/invoice-shape.ts";
import { periodOf, saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { cancelNow, ENDED } from "./cancel-now.ts";
import { collectInvoice, methodOf } from "../payments/collect-invoice.ts";
import { dropPendingUpdate } from "./drop-pending-update.ts";
import { finalizeInvoice } from "../payments/finalize-invoice.ts";
import { endsWithPeriod } from "./watch-end.ts";
import { enterDuePhase } from "./phases.ts";
import { markUncollectible, voidInvoice } from "../payments/mark-invoice.ts";
import { pauseSubscription } from "./pause-subscription.ts";
import { watchPeriod } from "./watch-period.ts";

/**
 * A billing period has ended: the subscription ends too if that was requested, or a new period begins and its invoice is
 * drafted. It is charged an hour later, as at Stripe.
 */
export function endPeriod(tx: Transaction, found: Stripe.Subscription): void {
  if (ENDED.includes(found.status)) return;
  const subscription = enterDuePhase(tx, dropPendingUpdate(tx, found));
  if (ENDED.includes(subscription.status)) return;
  if (endsWithPeriod(subscription)) {
    cancelNow(tx, subscription, {});
    return;
  }
  if (subscription.status === "trialing" && !hasMethod(tx, subscription) && endsTrialUnpaid(tx, subscription)) return;
  startPeriod(tx, subscription);
}

function startPeriod(tx: Transaction, subscription: Stripe.Subscription): void {
  const ended = periodOf(subscription);
  const next = withNextPeriod(subscription, ended.end);
  const draft = draftInvoice(tx, {
    subscription: next,
    reason: "subscription_cycle",
    period: ended,
    items: pendingItems(tx, subscription),
    hasPeriod: true,
    discount: currentDiscount(tx, next),
  });
  const saved = saveSubscription(tx, subscription, {
    billing_cycle_anchor: next.billing_cycle_anchor,
    discounts: discountsAfter(tx, next),
    items: next.items,
    latest_invoice: draft.id,
    status: next.status,
  });
  watchPeriod(tx, saved);
  const isCollected = saved.status !== "unpaid" && saved.pause_collection?.behavior !== "keep_as_draft";
  const finalizesAt = isCollected ? tx.clock.now() + DRAFT_SECONDS : null;
  tx.store.put("invoice", { ...draft, auto_advance: isCollected, automatically_finalizes_at: finalizesAt });
  if (finalizesAt !== null) tx.clock.setTimer("invoice-finalizes", draft.id, finalizesAt);
}

/** The draft's hour has passed. Invoices of a subscription whose collection is paused are not collected. */
export function advanceDraft(tx: Transaction, draft: Stripe.Invoice): void {
  if (draft.status !== "draft") return;
  const open = finalizeInvoice(tx, draft, null);
  const id = open.parent?.subscription_details?.subscription;
  const subscription = id === undefined ? null : tx.store.find("subscription", idOf(id));
  switch (subscription?.pause_collection?.behavior) {
    case "void":
      voidInvoice(tx, open);
      return;
    case "mark_uncollectible":
      markUncollectible(tx, open);
      return;
    default:
      collectInvoice(tx, open);
  }
}

/** The subscription in its next period. A trial's end becomes the billing anchor. */
export function withNextPeriod(subscription: Stripe.Subscription, start: number): Stripe.Subscription {
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end:
      item.price.recurring === null ? start : periodEnd(subscription.billing_cycle_anchor, start, item.price.recurring),
  }));
  const status = subscription.status === "trialing" ? "active" : subscription.status;
  return { ...subscription, status, items: { ...subscription.items, data } };
}

const hasMethod = (tx: Transaction, subscription: Stripe.Subscription): boolean =>
  methodOf(tx, demand(tx, "customer", idOf(subscription.customer)), subscription) !== null;

/** Ends a trial without a payment method. Returns false if it is billed anyway. */
function endsTrialUnpaid(tx: Transaction, subscription: Stripe.Subscription): boolean {
  switch (subscription.trial_settings?.end_behavior.missing_payment_method) {
    case "cancel":
      cancelNow(tx, subscription, {});
      return true;
    case "pause":
      pauseSubscription(tx, subscription, "trial_end_without_payment_method");
      return true;
    default:
      return false;
  }
}
