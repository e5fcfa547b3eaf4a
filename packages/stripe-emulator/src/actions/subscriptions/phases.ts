import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { differences } from "../../objects/customers/customers.ts";
import { methodBy, phaseOf, saveSchedule, settingsBy, settingsOf } from "../../objects/subscriptions/schedule-shape.ts";
import { periodOf, saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { cancelNow } from "./cancel-now.ts";
import { carryOut } from "./carry-out.ts";
import { changedItems, isSameInterval, type ItemInput } from "./change-items.ts";
import { endSchedule } from "./end-schedule.ts";
import { planChange } from "./plan-change.ts";

/** The current phase has ended. If a billing period ends at the same second, that period's timer starts the next phase. */
export function endPhase(tx: Transaction, schedule: Stripe.SubscriptionSchedule): void {
  const subscription = ownerOf(tx, schedule);
  if (subscription === null || periodOf(subscription).end <= tx.clock.now()) return;
  const phase = nextPhase(schedule);
  if (phase === null) finish(tx, schedule, subscription);
  else {
    const entered = saveSubscription(tx, subscription, methodBy(schedule, phase));
    changeTo(tx, begin(tx, schedule, phase), phase, entered, phase.proration_behavior);
  }
}

/** At the end of a billing period: the next phase starts first, so that the new period is billed at its prices. */
export function enterDuePhase(tx: Transaction, subscription: Stripe.Subscription): Stripe.Subscription {
  const schedule = scheduleOf(tx, subscription);
  if (schedule?.current_phase == null || schedule.current_phase.end_date > tx.clock.now()) return subscription;
  const phase = nextPhase(schedule);
  if (phase === null) return finish(tx, schedule, subscription);
  begin(tx, schedule, phase);
  return tx.store.put("subscription", withPhase(tx, schedule, subscription, phase));
}

/** The subscription as it will be at the end of the period, for a preview; null when the schedule ends it. */
export function afterDuePhase(
  tx: Transaction,
  subscription: Stripe.Subscription,
  end: number,
): Stripe.Subscription | null {
  const schedule = scheduleOf(tx, subscription);
  if (schedule?.current_phase == null || schedule.current_phase.end_date > end) return subscription;
  const phase = nextPhase(schedule);
  if (phase !== null) return withPhase(tx, schedule, subscription, phase);
  return schedule.end_behavior === "cancel" ? null : subscription;
}

const scheduleOf = (tx: Transaction, { schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | null =>
  schedule === null ? null : tx.store.find("subscription_schedule", idOf(schedule));

/** The subscription in the period that ends, with the next phase's items: the caller starts the next period. */
function withPhase(
  tx: Transaction,
  schedule: Stripe.SubscriptionSchedule,
  subscription: Stripe.Subscription,
  phase: Stripe.SubscriptionSchedule.Phase,
): Stripe.Subscription {
  const data = changedItems(tx, subscription, inputsFor(subscription, phase), "phases");
  const [old] = subscription.items.data;
  const [item] = data;
  const keepsCycle =
    phase.billing_cycle_anchor !== "phase_start" &&
    old !== undefined &&
    item !== undefined &&
    isSameInterval(old.price, item.price);
  return {
    ...subscription,
    billing_cycle_anchor: keepsCycle ? subscription.billing_cycle_anchor : phase.start_date,
    items: { ...subscription.items, data },
    metadata: mergeMetadata(subscription.metadata, phase.metadata ?? {}),
    ...settingsBy(schedule, phase, subscription),
    ...methodBy(schedule, phase),
  };
}

/** Brings the subscription to a phase's state, unless it already matches. */
export function changeTo(
  tx: Transaction,
  schedule: Stripe.SubscriptionSchedule,
  phase: Stripe.SubscriptionSchedule.Phase,
  subscription: Stripe.Subscription,
  behavior: string,
): void {
  const inputs = inputsFor(subscription, phase);
  const metadata = mergeMetadata(subscription.metadata, phase.metadata ?? {});
  const changes = { metadata, ...settingsBy(schedule, phase, subscription) };
  const endsTrial = subscription.status === "trialing" && phase.trial_end === null;
  const isSame = Object.keys(differences(subscription, { ...subscription, ...changes })).length === 0;
  if (inputs.length === 0 && !endsTrial) {
    if (!isSame) saveSubscription(tx, subscription, changes);
    return;
  }
  const planned = planChange(tx, subscription, {
    items: inputs,
    prorationBehavior: behavior === "none" || behavior === "always_invoice" ? behavior : "create_prorations",
    startsCycleNow:
      phase.billing_cycle_anchor === "phase_start" && phase.start_date === schedule.current_phase?.start_date,
    ...(endsTrial && { trialEnd: "now" as const }),
  });
  carryOut(tx, planned, "allow_incomplete", changes);
}

/** A change to the subscription itself also changes the current phase. Later phases stay as planned. */
export function followChange(tx: Transaction, subscription: Stripe.Subscription): void {
  const schedule = scheduleOf(tx, subscription);
  const running = schedule === null ? null : currentPhase(schedule);
  if (schedule === null || running === null) return;
  const phase = phaseOf(subscription, {
    start: running.start_date,
    end: running.end_date,
    items: subscription.items.data.map(({ price, quantity = 1 }) => ({ price: price.id, quantity })),
    prorationBehavior: running.proration_behavior,
    startsCycle: running.billing_cycle_anchor === "phase_start",
    metadata: running.metadata ?? {},
    settings: { ...settingsOf(subscription), defaultMethod: idOfOrNull(running.default_payment_method) },
  });
  if (JSON.stringify(phase) === JSON.stringify(running)) return;
  saveSchedule(tx, schedule, { phases: schedule.phases.map((each) => (each === running ? phase : each)) });
}

const idOfOrNull = (reference: string | { id: string } | null): string | null =>
  reference === null ? null : idOf(reference);

/** The difference between the subscription's items and the phase's. They are matched by position. */
function inputsFor(subscription: Stripe.Subscription, phase: Stripe.SubscriptionSchedule.Phase): ItemInput[] {
  const { data } = subscription.items;
  const changes = phase.items.flatMap(({ price, quantity = 1 }, index): ItemInput[] => {
    const item = data[index];
    const isThere = item?.price.id === idOf(price) && item.quantity === quantity;
    return isThere ? [] : [{ id: item?.id, price: idOf(price), quantity, isDeleted: false, isSettled: true }];
  });
  const gone = data.slice(phase.items.length);
  return [...changes, ...gone.map(({ id }) => ({ id, price: undefined, quantity: undefined, isDeleted: true }))];
}

export const currentPhase = (schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule.Phase | null =>
  schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.start_date) ?? null;

const nextPhase = (schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule.Phase | null =>
  schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.end_date) ?? null;

function begin(
  tx: Transaction,
  schedule: Stripe.SubscriptionSchedule,
  { start_date, end_date }: Stripe.SubscriptionSchedule.Phase,
): Stripe.SubscriptionSchedule {
  tx.clock.setTimer("schedule-phase-ends", schedule.id, end_date);
  return saveSchedule(tx, schedule, { current_phase: { start_date, end_date } });
}

/** After the last phase the subscription continues automatically, or ends with it. */
function finish(
  tx: Transaction,
  schedule: Stripe.SubscriptionSchedule,
  subscription: Stripe.Subscription,
): Stripe.Subscription {
  if (schedule.end_behavior !== "cancel") {
    endSchedule(tx, schedule.id, "released");
    return saveSubscription(tx, subscription, { schedule: null });
  }
  endSchedule(tx, schedule.id, "completed");
  return cancelNow(tx, { ...subscription, schedule: null }, {});
}

function ownerOf(tx: Transaction, schedule: Stripe.SubscriptionSchedule): Stripe.Subscription | null {
  return schedule.subscription === null ? null : demand(tx, "subscription", idOf(schedule.subscription));
}
