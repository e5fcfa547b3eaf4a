import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { differences } from "../customers/customers.ts";
import { idOf } from "../demand.ts";
import { periodOf } from "./subscription-shape.ts";

/** What a phase sets on its subscription, in addition to its items. */
export interface PhaseSettings {
  discounts: string[];
  defaultMethod: string | null;
  description: string | null;
  /** Undefined: the schedule's default settings apply. */
  isTaxed: boolean | undefined;
  trialEnd: number | null;
}

/** A phase created from a subscription, or after its change, copies the subscription; the card is the schedule's. */
export const settingsOf = (subscription: Stripe.Subscription): PhaseSettings => ({
  discounts: subscription.discounts.map(idOf),
  defaultMethod: null,
  description: subscription.description,
  isTaxed: subscription.automatic_tax.enabled,
  trialEnd: subscription.status === "trialing" ? subscription.trial_end : null,
});

interface PhasePlan {
  start: number;
  end: number;
  items: { price: string; quantity: number }[];
  prorationBehavior: string;
  startsCycle: boolean;
  metadata: Record<string, string>;
  settings: PhaseSettings;
}

/** A new schedule mirrors the subscription: one phase, the current period. Long because Stripe's object is. */
export function newSchedule(tx: Transaction, subscription: Stripe.Subscription): Stripe.SubscriptionSchedule {
  const { start, end } = periodOf(subscription);
  const phase = phaseOf(subscription, {
    start,
    end,
    items: subscription.items.data.map((item) => ({ price: item.price.id, quantity: item.quantity ?? 1 })),
    prorationBehavior: "create_prorations",
    startsCycle: false,
    metadata: {},
    settings: settingsOf(subscription),
  });
  const schedule: Stripe.SubscriptionSchedule = {
    id: newId("sub_sched"),
    object: "subscription_schedule",
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: tx.clock.now(),
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
  tx.store.put("subscription_schedule", schedule, idOf(subscription.customer));
  tx.record("subscription_schedule.created", schedule);
  return schedule;
}

export const phaseOf = (subscription: Stripe.Subscription, plan: PhasePlan): Stripe.SubscriptionSchedule.Phase => ({
  add_invoice_items: [],
  application_fee_percent: null,
  ...(plan.settings.isTaxed !== undefined && { automatic_tax: taxOf(plan.settings.isTaxed) }),
  billing_cycle_anchor: plan.startsCycle ? "phase_start" : null,
  billing_thresholds: null,
  collection_method: null,
  currency: subscription.currency,
  default_payment_method: plan.settings.defaultMethod,
  default_tax_rates: [],
  description: plan.settings.description,
  discounts: plan.settings.discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
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
  trial_end: plan.settings.trialEnd,
});

const taxOf = (enabled: boolean): NonNullable<Stripe.SubscriptionSchedule.Phase["automatic_tax"]> => ({
  disabled_reason: null,
  enabled,
  liability: enabled ? { type: "self" } : null,
});

/** The subscription's values in a phase. Any that the phase doesn't name is unset, except for the schedule's defaults. */
export function settingsBy(
  { default_settings }: Stripe.SubscriptionSchedule,
  phase: Stripe.SubscriptionSchedule.Phase,
  subscription: Stripe.Subscription,
): Pick<Stripe.Subscription, "automatic_tax" | "description" | "discounts"> {
  const isTaxed = phase.automatic_tax?.enabled ?? default_settings.automatic_tax?.enabled ?? false;
  const named = phase.discounts.flatMap(({ discount }) => (discount === null ? [] : [idOf(discount)]));
  return {
    automatic_tax: { ...subscription.automatic_tax, ...taxOf(isTaxed) },
    description: phase.description ?? default_settings.description,
    // A used-up discount isn't restored.
    discounts: subscription.discounts.filter((discount) => named.includes(idOf(discount))),
  };
}

/** A phase's card applies from the phase's start. With neither the phase's nor the schedule's, the customer's is charged. */
export const methodBy = (
  { default_settings }: Stripe.SubscriptionSchedule,
  phase: Stripe.SubscriptionSchedule.Phase,
): Pick<Stripe.Subscription, "default_payment_method"> => ({
  default_payment_method: phase.default_payment_method ?? default_settings.default_payment_method,
});

export function saveSchedule(
  tx: Transaction,
  before: Stripe.SubscriptionSchedule,
  changes: Partial<Stripe.SubscriptionSchedule>,
): Stripe.SubscriptionSchedule {
  const after: Stripe.SubscriptionSchedule = { ...before, ...changes };
  tx.store.put("subscription_schedule", after);
  tx.record("subscription_schedule.updated", after, differences(before, after));
  return after;
}
