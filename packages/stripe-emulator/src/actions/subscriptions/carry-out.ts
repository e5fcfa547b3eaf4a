import type Stripe from "stripe";
import { UNPAID_SECONDS_MAX } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { currentDiscount, discountsAfter } from "../../objects/invoices/discounts.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { pendingItems, saveInvoiceItem } from "../../objects/invoices/invoice-items.ts";
import { type Bill, composeInvoice, draftInvoice } from "../../objects/invoices/invoice-shape.ts";
import { periodOf, saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { pendingChangeId } from "./apply-pending-update.ts";
import { collectInvoice, methodOf } from "../payments/collect-invoice.ts";
import { dropPendingUpdate } from "./drop-pending-update.ts";
import { expectPayment } from "../payments/expect-payment.ts";
import { finalizeInvoice } from "../payments/finalize-invoice.ts";
import type { PlannedChange } from "./plan-change.ts";
import { setStatus } from "./refresh-status.ts";
import { watchPeriod } from "./watch-period.ts";

export const PAYMENT_BEHAVIORS = [
  "allow_incomplete",
  "default_incomplete",
  "error_if_incomplete",
  "pending_if_incomplete",
] as const;
type PaymentBehavior = (typeof PAYMENT_BEHAVIORS)[number];

/** What a change that bills immediately puts on its invoice. */
export function billOf(tx: Transaction, planned: PlannedChange, reason: Bill["reason"]): Bill {
  const now = tx.clock.now();
  return {
    subscription: planned.after,
    reason,
    period: { start: now, end: now },
    items: [...pendingItems(tx, planned.before), ...planned.prorations],
    hasPeriod: planned.startsPeriod,
    discount: planned.startsPeriod ? currentDiscount(tx, planned.after) : null,
  };
}

/** Applies a change plan: now, or when its invoice is paid. `changes` are the other requested fields, applied with it. */
export function carryOut(
  tx: Transaction,
  planned: PlannedChange,
  behavior: PaymentBehavior,
  changes: Partial<Stripe.Subscription> = {},
): Stripe.Subscription {
  if (planned.billsNow && behavior === "error_if_incomplete") requirePayment(tx, planned);
  const before = dropPendingUpdate(tx, planned.before);
  const all: Partial<Stripe.Subscription> = {
    ...changesOf(planned),
    ...(planned.startsPeriod && { discounts: discountsAfter(tx, planned.after) }),
    ...changes,
  };
  // The period that it ends with may have changed.
  if (all.cancel_at_period_end ?? before.cancel_at_period_end) all.cancel_at = periodOf(planned.after).end;
  if (!planned.billsNow) {
    for (const item of planned.prorations) saveInvoiceItem(tx, item);
    return saveWatched(tx, before, all);
  }
  const draft = draftInvoice(tx, billOf(tx, planned, "subscription_update"));
  // While the customer isn't paying, nothing is collected: invoices accumulate as drafts.
  if (before.status === "unpaid") return saveWatched(tx, before, { ...all, latest_invoice: draft.id });
  const invoice = finalizeInvoice(tx, draft, null);
  if (behavior === "pending_if_incomplete") return changeWhenPaid(tx, before, invoice, all);
  const after = saveWatched(tx, before, { ...all, latest_invoice: invoice.id });
  if (behavior !== "default_incomplete" || invoice.amount_due === 0) collectInvoice(tx, invoice);
  else setStatus(tx, after, "past_due");
  return demand(tx, "subscription", after.id);
}

/** A status that follows from a trial's start or end; any other follows from invoices. */
const changesOf = ({ before, after }: PlannedChange): Partial<Stripe.Subscription> => ({
  billing_cycle_anchor: after.billing_cycle_anchor,
  items: after.items,
  trial_end: after.trial_end,
  trial_start: after.trial_start,
  ...(after.status !== before.status && { status: after.status }),
});

function saveWatched(
  tx: Transaction,
  before: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const after = saveSubscription(tx, before, changes);
  watchPeriod(tx, after);
  return after;
}

function changeWhenPaid(
  tx: Transaction,
  before: Stripe.Subscription,
  invoice: Stripe.Invoice,
  changes: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  tx.store.put("subscription", { ...before, latest_invoice: invoice.id });
  tx.store.put("pending_change", { id: pendingChangeId(before.id), invoice: invoice.id, changes });
  const isPaid = collectInvoice(tx, invoice).status === "paid";
  const waiting = demand(tx, "subscription", before.id);
  if (isPaid) return waiting;
  const expiresAt = Math.min(tx.clock.now() + UNPAID_SECONDS_MAX, periodOf(before).end);
  tx.clock.setTimer("pending-update-expires", before.id, expiresAt);
  return saveSubscription(tx, waiting, {
    pending_update: {
      billing_cycle_anchor: changes.billing_cycle_anchor ?? null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: expiresAt,
      metadata: null,
      subscription_items: changes.items?.data ?? null,
      trial_end: changes.trial_end ?? null,
      trial_from_plan: null,
    },
  });
}

function requirePayment(tx: Transaction, planned: PlannedChange): void {
  const { amount_due } = composeInvoice(tx, "in_asked", billOf(tx, planned, "subscription_update"));
  const customer = demand(tx, "customer", idOf(planned.before.customer));
  expectPayment(tx, amount_due, methodOf(tx, customer, planned.before));
}
