import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { newId } from "../ids.ts";
import { differences } from "./customers.ts";
import { idOf } from "./find.ts";
import { periodOf } from "./subscription-shape.ts";

export interface PhasePlan {
  start: number;
  end: number;
  items: { price: string; quantity: number }[];
  prorationBehavior: string;
  startsCycle: boolean;
  metadata: Record<string, string>;
}

/** A schedule that begins as the subscription is: one phase, the running period. Long because Stripe's object is. */
export function newSchedule(books: Books, subscription: Stripe.Subscription): Stripe.SubscriptionSchedule {
  const { start, end } = periodOf(subscription);
  const phase = phaseOf(subscription, {
    start,
    end,
    items: subscription.items.data.map((item) => ({ price: item.price.id, quantity: item.quantity ?? 1 })),
    prorationBehavior: "create_prorations",
    startsCycle: false,
    metadata: {},
  });
  const schedule: Stripe.SubscriptionSchedule = {
    id: newId("sub_sched"),
    object: "subscription_schedule",
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: books.clock.now(),
    current_phase: { start_date: start, end_date: end },
    customer: idOf(subscription.customer),
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: subscription.automatic_tax,
      billing_cycle_anchor: "automatic",
      billing_thresholds: null,
      collection_method: "charge_automatically",
      default_payment_method: subscription.default_payment_method,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: "self" },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: "release",
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: "active",
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  };
  books.store.put("subscription_schedule", schedule, idOf(subscription.customer));
  books.record("subscription_schedule.created", schedule);
  return schedule;
}

export const phaseOf = (subscription: Stripe.Subscription, plan: PhasePlan): Stripe.SubscriptionSchedule.Phase => ({
  add_invoice_items: [],
  application_fee_percent: null,
  automatic_tax: subscription.automatic_tax,
  billing_cycle_anchor: plan.startsCycle ? "phase_start" : null,
  billing_thresholds: null,
  collection_method: null,
  currency: subscription.currency,
  default_payment_method: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  end_date: plan.end,
  invoice_settings: null,
  items: plan.items.map(({ price, quantity }) => ({
    billing_thresholds: null,
    discounts: [],
    metadata: {},
    plan: price,
    price,
    quantity,
    tax_rates: [],
  })),
  metadata: plan.metadata,
  on_behalf_of: null,
  proration_behavior: plan.prorationBehavior,
  start_date: plan.start,
  transfer_data: null,
  trial_end: null,
});

export function saveSchedule(
  books: Books,
  before: Stripe.SubscriptionSchedule,
  changes: Partial<Stripe.SubscriptionSchedule>,
): Stripe.SubscriptionSchedule {
  const after: Stripe.SubscriptionSchedule = { ...before, ...changes };
  books.store.put("subscription_schedule", after);
  books.record("subscription_schedule.updated", after, differences(before, after));
  return after;
}
