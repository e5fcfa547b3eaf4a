import type Stripe from "stripe";
import { DRAFT_SECONDS } from "../../time/billing-times.ts";
import type { Books } from "../../books.ts";
import { periodEnd } from "../../time/calendar.ts";
import { currentDiscount, discountsAfter } from "../../objects/invoices/discounts.ts";
import { demand, idOf } from "../../objects/find.ts";
import { pendingItems } from "../../objects/invoices/invoice-items.ts";
import { draftInvoice } from "../../objects/invoices/invoice-shape.ts";
import { periodOf, saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { cancelNow, ENDED } from "./cancel-subscription.ts";
import { collectInvoice, methodOf } from "../payments/collect-invoice.ts";
import { dropPendingUpdate } from "./drop-pending-update.ts";
import { finalizeInvoice } from "../payments/finalize-invoice.ts";
import { endsWithPeriod } from "./plan-end.ts";
import { enterDuePhase } from "./run-schedule.ts";
import { markUncollectible, voidInvoice } from "../payments/settle-invoice.ts";
import { stopWatching, watchPeriod } from "./watch-period.ts";

/**
 * A billing period has ended: the subscription ends too if that was requested, or a new period begins and its invoice is
 * drafted. It is charged an hour later, as at Stripe.
 */
export function endPeriod(books: Books, found: Stripe.Subscription): void {
  if (ENDED.includes(found.status)) return;
  const subscription = enterDuePhase(books, dropPendingUpdate(books, found));
  if (ENDED.includes(subscription.status)) return;
  if (endsWithPeriod(subscription)) {
    cancelNow(books, subscription, {});
    return;
  }
  if (subscription.status === "trialing" && !hasMethod(books, subscription) && endsTrialUnpaid(books, subscription))
    return;
  startPeriod(books, subscription);
}

function startPeriod(books: Books, subscription: Stripe.Subscription): void {
  const ended = periodOf(subscription);
  const next = withNextPeriod(subscription, ended.end);
  const draft = draftInvoice(books, {
    subscription: next,
    reason: "subscription_cycle",
    period: ended,
    items: pendingItems(books, subscription),
    hasPeriod: true,
    discount: currentDiscount(books, next),
  });
  const saved = saveSubscription(books, subscription, {
    billing_cycle_anchor: next.billing_cycle_anchor,
    discounts: discountsAfter(books, next),
    items: next.items,
    latest_invoice: draft.id,
    status: next.status,
  });
  watchPeriod(books, saved);
  const isCollected = saved.status !== "unpaid" && saved.pause_collection?.behavior !== "keep_as_draft";
  const finalizesAt = isCollected ? books.clock.now() + DRAFT_SECONDS : null;
  books.store.put("invoice", { ...draft, auto_advance: isCollected, automatically_finalizes_at: finalizesAt });
  if (finalizesAt !== null) books.clock.setTimer("invoice-finalizes", draft.id, finalizesAt);
}

/** The hour is over. Invoices of a subscription whose collection is paused are not collected. */
export function advanceDraft(books: Books, draft: Stripe.Invoice): void {
  if (draft.status !== "draft") return;
  const open = finalizeInvoice(books, draft, null);
  const id = open.parent?.subscription_details?.subscription;
  const subscription = id === undefined ? null : books.store.find("subscription", idOf(id));
  switch (subscription?.pause_collection?.behavior) {
    case "void":
      voidInvoice(books, open);
      return;
    case "mark_uncollectible":
      markUncollectible(books, open);
      return;
    default:
      collectInvoice(books, open);
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

const hasMethod = (books: Books, subscription: Stripe.Subscription): boolean =>
  methodOf(books, demand(books, "customer", idOf(subscription.customer)), subscription) !== null;

/** A trial that ends without a payment method. False: it is billed anyway. */
function endsTrialUnpaid(books: Books, subscription: Stripe.Subscription): boolean {
  switch (subscription.trial_settings?.end_behavior.missing_payment_method) {
    case "cancel":
      cancelNow(books, subscription, {});
      return true;
    case "pause": {
      stopWatching(books, subscription);
      const paused = saveSubscription(books, subscription, { status: "paused" });
      books.record("customer.subscription.paused", paused);
      return true;
    }
    default:
      return false;
  }
}
