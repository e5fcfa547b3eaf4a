import type Stripe from "stripe";
import { afterEach, beforeAll, expect, test } from "vitest";
import { setUpStripeEmulator } from "./driver.ts";
import {
  advanceTo,
  at,
  endAll,
  invoicesOf,
  itemOf,
  latestOf,
  linesOf,
  newCustomer,
  newPrice,
  SECONDS_PER_DAY,
  subscribe,
  useCard,
} from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

beforeAll(async () => {
  await advanceTo(local, at("2030-06-01T00:00:00"));
});
afterEach(() => endAll(stripe));

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A plan followed by another one from the period's end on, as the site schedules a downgrade. */
async function scheduled(
  from: Stripe.Price,
  to: Stripe.Price,
  last: Stripe.SubscriptionScheduleUpdateParams.Phase = { items: [], proration_behavior: "none" },
  extra: Stripe.SubscriptionScheduleUpdateParams = {},
) {
  const subscription = await subscribe(stripe, await newCustomer(stripe), from);
  const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const [running] = phases;
  const schedule = await stripe.subscriptionSchedules.update(id, {
    phases: [
      {
        items: [{ price: from.id, quantity: 1 }],
        start_date: running?.start_date ?? 0,
        end_date: running?.end_date ?? 0,
      },
      { ...last, items: [{ price: to.id, quantity: 1 }] },
    ],
    ...extra,
  });
  return { subscription, schedule, end: itemOf(subscription).current_period_end };
}

test("a scheduled downgrade takes effect with the renewal, at its price, and releases the subscription afterwards", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  const { subscription, schedule, end } = await scheduled(large, small);
  expect(schedule).toMatchObject({
    status: "active",
    end_behavior: "release",
    current_phase: { end_date: end },
    phases: [{ items: [{ price: large.id }] }, { start_date: end, items: [{ price: small.id }] }],
  });
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ schedule: schedule.id });
  expect((await stripe.invoices.createPreview({ subscription: subscription.id })).amount_due).toBe(600);
  expect((await stripe.invoices.createPreview({ schedule: schedule.id })).amount_due).toBe(600);

  await advanceTo(local, end - MINUTE);
  expect(itemOf(await stripe.subscriptions.retrieve(subscription.id)).price.id).toBe(large.id);
  await advanceTo(local, end);
  const changed = await stripe.subscriptions.retrieve(subscription.id);
  expect(itemOf(changed)).toMatchObject({ id: itemOf(subscription).id, price: { id: small.id } });
  expect(changed).toMatchObject({ status: "active", schedule: schedule.id });
  expect(await latestOf(stripe, changed)).toMatchObject({
    billing_reason: "subscription_cycle",
    status: "draft",
    total: 600,
  });
  await advanceTo(local, end + HOUR);
  expect(await latestOf(stripe, changed)).toMatchObject({ status: "paid", amount_paid: 600 });

  // The last phase had no end date, so it lasts one month.
  const events = await advanceTo(local, itemOf(changed).current_period_end + HOUR);
  expect(events).toContain("subscription_schedule.released");
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: "released",
    subscription: null,
    released_subscription: subscription.id,
  });
  const free = await stripe.subscriptions.retrieve(subscription.id);
  expect(free).toMatchObject({ schedule: null, status: "active" });
  expect(itemOf(free).price.id).toBe(small.id);
  expect((await invoicesOf(stripe, free)).map(({ total }) => total)).toEqual([600, 600, 1_500]);
});

test("a year becomes months at its end: a new cycle begins there, and nothing is prorated", async () => {
  const [yearly, monthly] = [
    await newPrice(stripe, "Small", { amount: 6_000, interval: "year" }),
    await newPrice(stripe, "Small"),
  ];
  const { subscription, end } = await scheduled(yearly, monthly);
  await advanceTo(local, end + HOUR);
  const changed = await stripe.subscriptions.retrieve(subscription.id);
  expect(changed.billing_cycle_anchor).toBe(end);
  expect(itemOf(changed)).toMatchObject({ price: { id: monthly.id }, current_period_start: end });
  expect(itemOf(changed).current_period_end - end).toBeLessThanOrEqual(31 * SECONDS_PER_DAY);
  expect(linesOf(await latestOf(stripe, changed))).toEqual([["1 × Small", 600]]);
});

test("releasing a schedule undoes the change, once", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  const { subscription, schedule, end } = await scheduled(large, small);
  expect(await stripe.subscriptionSchedules.release(schedule.id)).toMatchObject({
    status: "released",
    released_subscription: subscription.id,
  });
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ schedule: null });
  await expect(stripe.subscriptionSchedules.release(schedule.id)).rejects.toMatchObject({
    message: expect.stringContaining("currently in the `released` status"),
  });
  await expect(stripe.subscriptionSchedules.update(schedule.id, { metadata: { a: "b" } })).rejects.toMatchObject({
    statusCode: 400,
  });
  await advanceTo(local, end + HOUR);
  expect(await latestOf(stripe, subscription)).toMatchObject({ total: 1_500 });
});

test("canceling a schedule also ends the subscription, as does its end if requested", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  const now = await scheduled(large, small);
  expect(await stripe.subscriptionSchedules.cancel(now.schedule.id)).toMatchObject({ status: "canceled" });
  expect(await stripe.subscriptions.retrieve(now.subscription.id)).toMatchObject({
    status: "canceled",
    schedule: null,
  });

  const later = await scheduled(
    large,
    small,
    { items: [], duration: { interval: "month", interval_count: 2 } },
    { end_behavior: "cancel" },
  );
  const end = later.schedule.phases[1]?.end_date ?? 0;
  await advanceTo(local, end - MINUTE);
  expect(await stripe.subscriptions.retrieve(later.subscription.id)).toMatchObject({ status: "active" });
  await advanceTo(local, end);
  expect(await stripe.subscriptions.retrieve(later.subscription.id)).toMatchObject({
    status: "canceled",
    ended_at: end,
  });
  expect(await stripe.subscriptionSchedules.retrieve(later.schedule.id)).toMatchObject({
    status: "completed",
    completed_at: end,
  });
});

test("a phase that begins within a period prorates as specified", async () => {
  // June's second half: −600 × 15/30 and 1 500 × 15/30, for the phase that bills immediately.
  const [small, large] = [await newPrice(stripe, "Small"), await newPrice(stripe, "Large", { amount: 1_500 })];
  const found: Record<string, [string | null, number][]> = {};
  for (const behavior of ["always_invoice", "create_prorations", "none"] as const) {
    const customer = await newCustomer(stripe);
    const subscription = await subscribe(stripe, customer, small);
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const { start_date: start, end_date: end } = phases[0] ?? { start_date: 0, end_date: 0 };
    const middle = start + (end - start) / 2;
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        { items: [{ price: small.id }], start_date: start, end_date: middle },
        { items: [{ price: large.id }], end_date: end, proration_behavior: behavior },
      ],
    });
    await advanceTo(local, middle);
    const changed = await stripe.subscriptions.retrieve(subscription.id);
    expect(itemOf(changed)).toMatchObject({ price: { id: large.id }, current_period_end: end });
    const waiting = await stripe.invoiceItems.list({ customer: customer.id, pending: true });
    found[behavior] = [
      ...linesOf(await latestOf(stripe, changed)),
      ...waiting.data.map(({ description, amount }): [string | null, number] => [description, amount]).reverse(),
    ];
  }
  const prorations = [
    [expect.stringContaining("Unused time on Small"), -300],
    [expect.stringContaining("Remaining time on Large"), 750],
  ];
  expect(found).toEqual({
    always_invoice: prorations,
    create_prorations: [["1 × Small", 600], ...prorations],
    none: [["1 × Small", 600]],
  });
});

test("a change of the current phase takes effect immediately", async () => {
  const [small, large] = [await newPrice(stripe, "Small"), await newPrice(stripe, "Large", { amount: 1_500 })];
  const subscription = await subscribe(stripe, await newCustomer(stripe), small);
  const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const { start_date, end_date } = phases[0] ?? { start_date: 0, end_date: 0 };
  await stripe.subscriptionSchedules.update(id, {
    phases: [{ items: [{ price: large.id }], start_date, end_date, metadata: { plan: "large" } }],
    proration_behavior: "always_invoice",
  });
  const changed = await stripe.subscriptions.retrieve(subscription.id);
  expect(changed.metadata).toEqual({ plan: "large" });
  expect(itemOf(changed).price.id).toBe(large.id);
  expect(await latestOf(stripe, changed)).toMatchObject({ billing_reason: "subscription_update" });
});

test("a price that has since been archived is charged as scheduled, and may be named again", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  const { subscription, schedule, end } = await scheduled(large, small);
  await Promise.all([large, small].map(({ id }) => stripe.prices.update(id, { active: false })));
  const start_date = schedule.phases[0]?.start_date ?? 0;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [{ items: [{ price: large.id }], start_date, end_date: end }, { items: [{ price: small.id }] }],
  });
  await advanceTo(local, end + HOUR);
  expect(await latestOf(stripe, subscription)).toMatchObject({ status: "paid", total: 600 });
});

test("an upgrade in the meantime changes the current phase, and the scheduled one still follows", async () => {
  const [large, small, team] = [
    await newPrice(stripe, "Large", { amount: 1_500 }),
    await newPrice(stripe, "Small"),
    await newPrice(stripe, "Team", { amount: 3_000 }),
  ];
  const { subscription, schedule, end } = await scheduled(large, small);
  await stripe.subscriptions.update(subscription.id, { items: [{ id: itemOf(subscription).id, price: team.id }] });
  const { phases } = await stripe.subscriptionSchedules.retrieve(schedule.id);
  expect(phases.map(({ items }) => items[0]?.price)).toEqual([team.id, small.id]);
  await advanceTo(local, end + HOUR);
  expect(itemOf(await stripe.subscriptions.retrieve(subscription.id)).price.id).toBe(small.id);
});

test("a phase loses what isn't repeated: the current phase's discount is removed immediately, or stays for the next one too", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
  for (const isRepeated of [false, true]) {
    const subscription = await subscribe(stripe, await newCustomer(stripe), large);
    const given = await stripe.subscriptions.update(subscription.id, {
      discounts: [{ coupon: coupon.id }],
      description: "Partner",
    });
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expect(phases[0]?.discounts).toEqual([{ coupon: null, discount: given.discounts[0], promotion_code: null }]);
    const { start_date, end_date } = phases[0] ?? { start_date: 0, end_date: 0 };
    const retained = isRepeated
      ? { discounts: given.discounts.map((discount) => ({ discount: String(discount) })), description: "Partner" }
      : {};
    await stripe.subscriptionSchedules.update(id, {
      proration_behavior: "none",
      phases: [
        { ...retained, items: [{ price: large.id }], start_date, end_date },
        { ...retained, items: [{ price: small.id }], proration_behavior: "none" },
      ],
    });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      discounts: isRepeated ? given.discounts : [],
      description: isRepeated ? "Partner" : null,
    });
    await advanceTo(local, end_date + HOUR);
    expect(await latestOf(stripe, subscription)).toMatchObject({ total: isRepeated ? 300 : 600 });
    await stripe.subscriptions.cancel(subscription.id);
  }
});

test("a trial that the current phase doesn't repeat ends immediately", async () => {
  const large = await newPrice(stripe, "Large", { amount: 1_500 });
  const subscription = await subscribe(stripe, await newCustomer(stripe), large, { trial_period_days: 10 });
  const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const { start_date, end_date, trial_end } = phases[0] ?? { start_date: 0, end_date: 0, trial_end: 0 };
  expect(trial_end).toBe(subscription.trial_end);
  const phase = { items: [{ price: large.id }], start_date, end_date };
  await stripe.subscriptionSchedules.update(id, { phases: [{ ...phase, trial_end: trial_end ?? 0 }] });
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: "trialing" });
  await stripe.subscriptionSchedules.update(id, { phases: [phase] });
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: "active" });
});

test("a schedule uses the plan's card for later phases, even if another was chosen since, unless the schedule is updated as well", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  for (const isUpdated of [false, true]) {
    const customer = await newCustomer(stripe, null);
    const old = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
    const subscription = await subscribe(stripe, customer, large, { default_payment_method: old.id });
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expect(schedule.default_settings.default_payment_method).toBe(old.id);
    const { start_date, end_date } = schedule.phases[0] ?? { start_date: 0, end_date: 0 };
    await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [{ items: [{ price: large.id }], start_date, end_date }, { items: [{ price: small.id }] }],
    });
    await useCard(stripe, customer, "pm_card_mastercard");
    await stripe.subscriptions.update(subscription.id, { default_payment_method: "" });
    const holder = await stripe.customers.retrieve(customer.id);
    const chosen = holder.deleted ? "" : String(holder.invoice_settings.default_payment_method);
    if (isUpdated)
      await stripe.subscriptionSchedules.update(schedule.id, { default_settings: { default_payment_method: chosen } });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ default_payment_method: null });
    await advanceTo(local, end_date + HOUR);
    const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
    expect(charge?.payment_method).toBe(isUpdated ? chosen : old.id);
    await stripe.subscriptions.cancel(subscription.id);
  }
});

test("a schedule is refused where Stripe refuses it", async () => {
  const [large, small] = [await newPrice(stripe, "Large", { amount: 1_500 }), await newPrice(stripe, "Small")];
  const { subscription, schedule, end } = await scheduled(large, small);
  const update = (phases: Stripe.SubscriptionScheduleUpdateParams.Phase[]) =>
    stripe.subscriptionSchedules.update(schedule.id, { phases });
  const start_date = schedule.phases[0]?.start_date ?? 0;
  await expect(stripe.subscriptionSchedules.create({ from_subscription: subscription.id })).rejects.toMatchObject({
    param: "from_subscription",
  });
  await expect(
    stripe.subscriptionSchedules.create({ from_subscription: subscription.id, end_behavior: "cancel" }),
  ).rejects.toMatchObject({ code: "parameter_unknown", param: "end_behavior" });
  await expect(update([{ items: [{ price: large.id }], start_date: start_date + 1, end_date: end }])).rejects.toThrow(
    "You can not modify the start date of the current phase.",
  );
  await expect(update([{ items: [{ price: large.id }], start_date, end_date: start_date - 1 }])).rejects.toMatchObject({
    param: "phases[0][end_date]",
  });
  await expect(update([{ items: [{ price: "price_none" }], start_date, end_date: end }])).rejects.toMatchObject({
    param: "phases[0][items][0][price]",
  });
  await expect(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).rejects.toThrow(
    `The subscription is managed by the subscription schedule \`${schedule.id}\``,
  );
  await stripe.subscriptions.cancel(subscription.id);
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: "canceled" });
});

test("schedules of a customer are listed newest first", async () => {
  const small = await newPrice(stripe, "Small");
  const { subscription, schedule } = await scheduled(small, small);
  const { data } = await stripe.subscriptionSchedules.list({ customer: String(subscription.customer), limit: 1 });
  expect(data.map(({ id }) => id)).toEqual([schedule.id]);
  expect(await stripe.subscriptions.retrieve(subscription.id, { expand: ["schedule"] })).toMatchObject({
    schedule: { id: schedule.id, status: "active" },
  });
});
