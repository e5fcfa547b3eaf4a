import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { periodEnd } from "../../time/period-end.ts";
import { newId } from "../../ids.ts";
import { wholeList } from "../../http/lists.ts";
import { differences } from "../customers/customers.ts";

export interface Order {
  customer: string;
  currency: string;
  lines: { price: Stripe.Price; quantity: number }[];
  metadata: Record<string, string>;
  description: string | null;
  isTaxed: boolean;
  /** Nothing is charged until then, when the first period begins. */
  trialEnd?: number | null;
  trialSettings?: Stripe.Subscription.TrialSettings | undefined;
}

/** A new subscription, not yet paid for. Its billing period begins now. */
export function newSubscription(tx: Transaction, order: Order): Stripe.Subscription {
  const subscription = shapeSubscription(tx, order);
  tx.store.put("subscription", subscription, order.customer);
  tx.record("customer.subscription.created", subscription);
  return subscription;
}

/** The subscription's fields, for a preview too. Long because Stripe's object is. */
export function shapeSubscription(tx: Transaction, order: Order): Stripe.Subscription {
  const id = newId("sub");
  const now = tx.clock.now();
  const trialEnd = order.trialEnd ?? null;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: order.isTaxed,
      liability: order.isTaxed ? { type: "self" } : null,
    },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: now,
    currency: order.currency,
    customer: order.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: order.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: wholeList(
      `/v1/subscription_items?subscription=${id}`,
      order.lines.map(({ price, quantity }) => {
        const item = newItem(id, now, price, quantity);
        return { ...item, current_period_end: trialEnd ?? item.current_period_end };
      }),
    ),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: order.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: "off" },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? "incomplete" : "trialing",
    test_clock: tx.store.find("customer", order.customer)?.test_clock ?? null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: order.trialSettings ?? {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" },
    },
    trial_start: trialEnd === null ? null : now,
  };
}

export function newItem(
  subscription: string,
  now: number,
  price: Stripe.Price,
  quantity: number,
): Stripe.SubscriptionItem {
  return {
    id: newId("si", 14),
    object: "subscription_item",
    billing_thresholds: null,
    created: now,
    current_period_end: price.recurring === null ? now : periodEnd(now, now, price.recurring),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

/** The older name of a price, which Stripe still returns beside it. */
export const planOf = (price: Stripe.Price): Stripe.Plan => ({
  id: price.id,
  object: "plan",
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: "per_unit",
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? "month",
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: "licensed",
});

/** All items of our subscriptions share one period; Stripe stores it on the items. */
export function periodOf(subscription: Stripe.Subscription): { start: number; end: number } {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`Subscription ${subscription.id} has no item.`);
  return { start: item.current_period_start, end: item.current_period_end };
}

export function saveSubscription(
  tx: Transaction,
  before: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const after: Stripe.Subscription = { ...before, ...changes };
  tx.store.put("subscription", after);
  tx.record("customer.subscription.updated", after, differences(before, after));
  return after;
}
