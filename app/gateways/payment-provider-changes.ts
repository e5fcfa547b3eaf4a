import type Stripe from "stripe";
import { type Connection, findPrice } from "./payment-provider-checkout.ts";
import { wholeList } from "./payment-provider-lists.ts";
import { type InvoiceLine, readInvoice } from "./payment-provider-invoices.ts";
import { idOf, maybeMs, ms, soldBy } from "./payment-provider-objects.ts";

/** What a customer chose to begin when the running period ends. */
export type PlannedChange = { subscriptionId: string; planId: string; interval: "month" | "year"; startsAt: number };

export type ChangeWish = {
  subscriptionId: string;
  priceKey: string;
  /** The moment by which unused and remaining time are reckoned; null: the provider's now. */
  prorationAt: number | null;
};

/** What a change of plan costs now, as the provider reckons it: nothing is charged by asking. */
export type ChangeQuote = {
  amountMinor: number;
  /** What of it isn't asked for now: credit takes it, or it is too little to be charged alone. */
  creditMinor: number;
  /** What the charge after this one has less; below zero where it has more. */
  creditAfterMinor: number;
  taxMinor: number;
  currency: string;
  prorationAt: number;
  /** When the period ends that begins or goes on with the change. */
  nextChargeAt: number;
  lines: InvoiceLine[];
};

export async function previewChange({ stripe, within }: Connection, wish: ChangeWish): Promise<ChangeQuote> {
  const [price, item] = await Promise.all([
    findPrice(stripe, wish.priceKey, within()),
    findItem({ stripe, within }, wish.subscriptionId),
  ]);
  const preview = await stripe.invoices.createPreview(
    {
      subscription: wish.subscriptionId,
      subscription_details: {
        items: [{ id: item.id, price }],
        proration_behavior: "always_invoice",
        ...(wish.prorationAt !== null && { proration_date: wish.prorationAt / 1000 }),
      },
    },
    within(),
  );
  const invoice = readInvoice(preview);
  const reckonedAt = maybeMs(preview.parent?.subscription_details?.subscription_proration_date);
  return {
    amountMinor: invoice.amountMinor,
    creditMinor: Math.max(0, preview.total - invoice.amountMinor),
    creditAfterMinor: -(preview.ending_balance ?? Math.min(0, preview.starting_balance + preview.total)),
    taxMinor: invoice.taxMinor,
    currency: invoice.currency,
    prorationAt: wish.prorationAt ?? reckonedAt ?? Math.max(...invoice.lines.map((line) => line.periodStartsAt)),
    nextChargeAt: Math.max(...invoice.lines.map((line) => line.periodEndsAt)),
    lines: invoice.lines,
  };
}

/**
 * Charges the difference and changes the plan once it is paid: until then (a decline, a confirmation that the bank asks for) the old
 * one goes on, and after a day the provider forgets the wish. What was to begin later doesn't.
 */
export async function changePlan(
  { stripe, within }: Connection,
  wish: ChangeWish & { orderId: string },
): Promise<{ invoiceId: string | null }> {
  const [price, item] = await Promise.all([
    findPrice(stripe, wish.priceKey, within()),
    findItem({ stripe, within }, wish.subscriptionId),
    releaseChange({ stripe, within }, wish.subscriptionId),
  ]);
  const changed = await stripe.subscriptions.update(
    wish.subscriptionId,
    {
      items: [{ id: item.id, price }],
      proration_behavior: "always_invoice",
      payment_behavior: "pending_if_incomplete",
      ...(wish.prorationAt !== null && { proration_date: wish.prorationAt / 1000 }),
    },
    within({ idempotencyKey: `change:${wish.orderId}` }),
  );
  return { invoiceId: idOf(changed.latest_invoice) };
}

/** Has another price begin when the running period ends. A second wish takes the place of the first. */
export async function planChange({ stripe, within }: Connection, wish: Omit<ChangeWish, "prorationAt">): Promise<void> {
  const [price, subscription] = await Promise.all([
    findPrice(stripe, wish.priceKey, within()),
    stripe.subscriptions.retrieve(wish.subscriptionId, {}, within()),
  ]);
  const schedule = await findSchedule({ stripe, within }, subscription);
  const running = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.start_date);
  const [item] = subscription.items.data;
  if (!running || !item) throw new Error(`Subscription ${wish.subscriptionId} has no running phase`);
  const then = await stripe.prices.retrieve(price, {}, within());
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: "release",
      proration_behavior: "none",
      phases: [
        {
          items: [{ price: item.price.id, quantity: 1 }],
          start_date: running.start_date,
          end_date: item.current_period_end,
        },
        {
          items: [{ price, quantity: 1 }],
          duration: { interval: then.recurring?.interval ?? "month", interval_count: 1 },
          proration_behavior: "none",
        },
      ],
    },
    within(),
  );
}

/** The schedule that leads a subscription. Of two clicks that both find none, one makes it and the other finds that. */
async function findSchedule(
  { stripe, within }: Connection,
  subscription: Stripe.Subscription,
): Promise<Stripe.SubscriptionSchedule> {
  const known = idOf(subscription.schedule);
  if (known) return stripe.subscriptionSchedules.retrieve(known, {}, within());
  try {
    return await stripe.subscriptionSchedules.create({ from_subscription: subscription.id }, within());
  } catch (error) {
    const now = idOf((await stripe.subscriptions.retrieve(subscription.id, {}, within())).schedule);
    if (!now) throw error;
    return stripe.subscriptionSchedules.retrieve(now, {}, within());
  }
}

/** Whatever was to begin later doesn't. */
export async function releaseChange({ stripe, within }: Connection, subscriptionId: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, {}, within());
  const schedule = idOf(subscription.schedule);
  if (schedule) await stripe.subscriptionSchedules.release(schedule, {}, within());
}

export async function fetchPlannedChanges({ stripe, within }: Connection, customer: string): Promise<PlannedChange[]> {
  const expand = ["data.phases.items.price"];
  const schedules = await wholeList((page) =>
    stripe.subscriptionSchedules.list({ customer, expand, ...page }, within()),
  );
  return schedules.filter(({ status }) => status === "active").flatMap(readPlannedChange);
}

/** The next phase that sells something else. One of several may differ in nothing but a discount. */
export function readPlannedChange(schedule: Stripe.SubscriptionSchedule): PlannedChange[] {
  const { current_phase: current, phases } = schedule;
  const subscriptionId = idOf(schedule.subscription);
  if (!current || !subscriptionId) return [];
  const running = soldIn(phases.find((phase) => phase.start_date === current.start_date));
  const [next] = phases
    .filter((phase) => phase.start_date >= current.end_date)
    .flatMap((phase) => {
      const sold = soldIn(phase);
      const isSame = sold?.planId === running?.planId && sold?.interval === running?.interval;
      return sold && !isSame ? [{ subscriptionId, ...sold, startsAt: ms(phase.start_date) }] : [];
    });
  return next ? [next] : [];
}

function soldIn(phase: Stripe.SubscriptionSchedule.Phase | undefined) {
  const price = phase?.items[0]?.price;
  return price && typeof price === "object" && !price.deleted ? soldBy(price) : null;
}

async function findItem({ stripe, within }: Connection, subscriptionId: string): Promise<Stripe.SubscriptionItem> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, {}, within());
  const [item] = subscription.items.data;
  if (!item) throw new Error(`Subscription ${subscriptionId} has no item`);
  return item;
}
