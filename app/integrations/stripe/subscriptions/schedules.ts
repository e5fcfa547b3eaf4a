import type { OrderId } from "#app/core/id.ts";
import type { CustomerId, PaymentMethodId, PriceId, ScheduleId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { invariant } from "#app/core/invariant.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type Stripe from "stripe";
import { clearDeferredChange, noteOf, type ScheduledChange, readDeferredChange } from "./deferred-change.ts";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { findPrice, type ShownPrice } from "#app/integrations/stripe/prices.ts";
import { wholeList } from "#app/integrations/stripe/lists.ts";
import { discountInputsOf, phaseInputOf } from "./phases.ts";
import { idOf, ms, soldBy } from "#app/integrations/stripe/fields.ts";

type Wanted = { subscriptionId: SubscriptionId; priceId: PriceId; interval: Interval };

/** Schedules the price that is shown for when the current period ends. A second request replaces the first. */
export async function scheduleChange(
  connection: Connection,
  { subscriptionId, price }: { subscriptionId: SubscriptionId; price: ShownPrice },
): Promise<void> {
  const { stripe, within } = connection;
  const [priceId, subscription] = await Promise.all([
    findPrice(stripe, price, within()),
    stripe.subscriptions.retrieve(subscriptionId, {}, within()),
  ]);
  await schedulePrice(connection, subscription, { subscriptionId, priceId, interval: price.interval });
}

async function schedulePrice(
  { stripe, within }: Connection,
  subscription: Stripe.Subscription,
  input: Wanted,
): Promise<void> {
  const schedule = await findSchedule({ stripe, within }, subscription);
  const running = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.start_date);
  const [item] = subscription.items.data;
  invariant(running && item, `Subscription ${input.subscriptionId} has no running phase`);
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: "release",
      proration_behavior: "none",
      phases: [
        { ...phaseInputOf(running, subscription), end_date: item.current_period_end },
        {
          ...discountInputsOf(subscription),
          items: [{ price: input.priceId, quantity: 1 }],
          duration: { interval: input.interval, interval_count: 1 },
          proration_behavior: "none",
        },
      ],
    },
    within(),
  );
  await clearDeferredChange({ stripe, within }, subscription);
}

/** The schedule of a subscription. Of two clicks that both find none, one creates it and the other finds that one. */
async function findSchedule(
  { stripe, within }: Connection,
  subscription: Stripe.Subscription,
): Promise<Stripe.SubscriptionSchedule> {
  const known = idOf(subscription.schedule);
  if (known) return stripe.subscriptionSchedules.retrieve(known, {}, within());
  try {
    return await stripe.subscriptionSchedules.create({ from_subscription: subscription.id }, within());
  } catch (error) {
    const existing = idOf((await stripe.subscriptions.retrieve(subscription.id, {}, within())).schedule);
    if (!existing) throw error;
    return stripe.subscriptionSchedules.retrieve(existing, {}, within());
  }
}

/** Cancels all scheduled changes. */
export async function releaseChange({ stripe, within }: Connection, subscriptionId: SubscriptionId): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, {}, within());
  await clearDeferredChange({ stripe, within }, subscription);
  const schedule = idOf(subscription.schedule);
  if (schedule) await stripe.subscriptionSchedules.release(schedule, {}, within());
}

type DeferredChange = { subscriptionId: SubscriptionId; orderId: OrderId };

/**
 * Records what is scheduled, and the change it is deferred for, before the schedule is released: if the process dies in between, it is
 * still scheduled.
 */
export async function deferChange(connection: Connection, { subscriptionId, orderId }: DeferredChange): Promise<void> {
  const { stripe, within } = connection;
  const { subscription, planned, scheduleId } = await lookAtPlan(connection, subscriptionId);
  const deferred = planned ?? readDeferredChange(subscription);
  const note = deferred && noteOf(deferred, orderId);
  if (note && note !== subscription.metadata.planned) {
    await stripe.subscriptions.update(subscriptionId, { metadata: { planned: note } }, within());
  }
  if (scheduleId) await stripe.subscriptionSchedules.release(scheduleId, {}, within());
}

type WholeDeferredChange = DeferredChange & Pick<ScheduledChange, "planId" | "interval" | "priceId">;

/**
 * Schedules the deferred change again at the price that was confirmed, because the change that it was deferred for isn't paid. Stripe refuses
 * if that price was archived meanwhile. Another sync may do so at the same time. Returns false if the customer has made a new choice meanwhile.
 */
export async function restoreDeferredChange(connection: Connection, deferred: WholeDeferredChange): Promise<boolean> {
  const { subscription, planned } = await lookAtPlan(connection, deferred.subscriptionId);
  if (readDeferredChange(subscription)?.orderId !== deferred.orderId)
    return planned?.planId === deferred.planId && planned.interval === deferred.interval;
  if (planned) await clearDeferredChange(connection, subscription);
  else await schedulePrice(connection, subscription, deferred);
  return true;
}

/** Discards the deferred change, because the change that it was deferred for is paid. */
export async function dropDeferredChange(connection: Connection, deferred: DeferredChange): Promise<void> {
  const { subscription } = await lookAtPlan(connection, deferred.subscriptionId);
  if (readDeferredChange(subscription)?.orderId === deferred.orderId)
    await releaseChange(connection, deferred.subscriptionId);
}

async function lookAtPlan({ stripe, within }: Connection, subscriptionId: SubscriptionId) {
  const expand = ["schedule", "schedule.phases.items.price"];
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, { expand }, within());
  const { schedule } = subscription;
  const [planned = null] = schedule && typeof schedule === "object" ? readScheduledChange(schedule) : [];
  return { subscription, planned, scheduleId: idOf(schedule) };
}

/** The card of a schedule, which takes effect when the next phase begins. A `methodId` of null means the customer's default. */
export type ScheduleCard = { scheduleId: ScheduleId; subscriptionId: SubscriptionId; methodId: PaymentMethodId | null };

export async function fetchSchedules({ stripe, within }: Connection, customer: CustomerId) {
  const expand = ["data.phases.items.price"];
  const schedules = await wholeList((page) =>
    stripe.subscriptionSchedules.list({ customer, expand, ...page }, within()),
  );
  const active = schedules.filter(({ status }) => status === "active");
  return { scheduledChanges: active.flatMap(readScheduledChange), scheduleCards: active.flatMap(readScheduleCard) };
}

function readScheduleCard(schedule: Stripe.SubscriptionSchedule): ScheduleCard[] {
  const subscriptionId = idOf(schedule.subscription);
  return subscriptionId
    ? [{ scheduleId: idOf(schedule), subscriptionId, methodId: idOf(schedule.default_settings.default_payment_method) }]
    : [];
}

/** The next phase with another price: one of several phases may differ only in a discount. */
export function readScheduledChange(schedule: Stripe.SubscriptionSchedule): ScheduledChange[] {
  const { current_phase: current, phases } = schedule;
  const subscriptionId = idOf(schedule.subscription);
  if (!current || !subscriptionId) return [];
  const running = soldIn(phases.find((phase) => phase.start_date === current.start_date));
  const [next] = phases
    .filter((phase) => phase.start_date >= current.end_date)
    .flatMap((phase) => {
      const sold = soldIn(phase);
      const isSame = sold?.planId === running?.planId && sold?.interval === running?.interval;
      const startsAt = ms(phase.start_date);
      const amountMinor = amountOf(phase);
      return sold && !isSame ? [{ subscriptionId, ...sold, amountMinor, startsAt, deferredFor: null }] : [];
    });
  return next ? [next] : [];
}

function amountOf({ items: [item] }: Stripe.SubscriptionSchedule.Phase): number | null {
  const price = item?.price;
  if (!item || !price || typeof price !== "object" || price.deleted) return null;
  return price.unit_amount === null ? null : price.unit_amount * (item.quantity ?? 1);
}

function soldIn(phase: Stripe.SubscriptionSchedule.Phase | undefined) {
  const price = phase?.items[0]?.price;
  if (!price || typeof price === "string" || price.deleted) return null;
  const sold = soldBy(price);
  return sold && { ...sold, priceId: idOf(price) };
}
