import type Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { setUpStripeEmulator } from "./driver.ts";
import {
  advanceTo,
  at,
  invoicesOf,
  itemOf,
  latestOf,
  linesOf,
  newCustomer,
  newPrice,
  nowOf,
  SECONDS_PER_DAY,
  subscribe,
} from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

/** A round timestamp, so that the arithmetic below can be checked by hand. The tests continue from there, one after the other. */
const START = at("2030-06-01T00:00:00");
/** June has 30 days: 2 592 000 s. */
const JUNE = 30 * SECONDS_PER_DAY;

beforeAll(async () => {
  await advanceTo(local, START);
});

/** Each plan has 30 days of its own, counted from the current clock. The period is read from the subscription. */
async function halfway(amounts: { from: number; to: number; currency?: string; taxed?: boolean }) {
  const { currency = "eur" } = amounts;
  const customer = await newCustomer(stripe);
  const [from, to] = [
    await newPrice(stripe, "Small", { amount: amounts.from, currency }),
    await newPrice(stripe, "Large", { amount: amounts.to, currency }),
  ];
  const subscription = await subscribe(stripe, customer, from, { automatic_tax: { enabled: amounts.taxed ?? false } });
  const item = itemOf(subscription);
  const length = item.current_period_end - item.current_period_start;
  return { customer, from, to, subscription, item, length };
}

const upgrade = (
  { subscription, item, to }: Awaited<ReturnType<typeof halfway>>,
  after: number,
  extra: Stripe.SubscriptionUpdateParams = {},
) =>
  stripe.subscriptions.update(subscription.id, {
    items: [{ id: item.id, price: to.id }],
    proration_behavior: "always_invoice",
    proration_date: item.current_period_start + after,
    ...extra,
  });

describe("a proration", () => {
  test.each([
    // Half of 30 days: −600 × 15/30 = −300; 1 500 × 15/30 = 750.
    { currency: "eur", from: 600, to: 1_500, after: JUNE / 2, credit: -300, charge: 750 },
    // A third and a third left: −600 × 20/30 = −400; 1 499 × 20/30 = 999.33 → 999.
    { currency: "eur", from: 600, to: 1_499, after: JUNE / 3, credit: -400, charge: 999 },
    // One second used of 2 592 000: 600 × 2 591 999/2 592 000 = 599.99977 → 600, 1 500 → 1 500.
    { currency: "eur", from: 600, to: 1_500, after: 1, credit: -600, charge: 1_500 },
    // One second is left: 600/2 592 000 = 0.0002 → 0; 1 500/2 592 000 → 0. Nothing is due.
    { currency: "eur", from: 600, to: 1_500, after: JUNE - 1, credit: 0, charge: 0 },
    // A half goes up, away from zero: 601 × 15/30 = 300.5 → −301; 1 501 × 15/30 = 750.5 → 751.
    { currency: "eur", from: 601, to: 1_501, after: JUNE / 2, credit: -301, charge: 751 },
    // Per second, not per day: after 12 h 34 min 56 s (45 296 s) 2 546 704 s are left.
    // 999 × 2 546 704/2 592 000 = 981.54 → −982; 2 999 × 2 546 704/2 592 000 = 2 946.59 → 2 947.
    { currency: "eur", from: 999, to: 2_999, after: 45_296, credit: -982, charge: 2_947 },
    // The yen has no smaller unit: 980 × 20/30 = 653.33 → −653; 2 480 × 20/30 = 1 653.33 → 1 653.
    { currency: "jpy", from: 980, to: 2_480, after: JUNE / 3, credit: -653, charge: 1_653 },
    // Dinars have a thousand, charged in tens: 2 500 × 20/30 = 1 666.67 → −1 670; 7 500 × 20/30 = 5 000.
    { currency: "kwd", from: 2_500, to: 7_500, after: JUNE / 3, credit: -1_670, charge: 5_000 },
  ])("is exact to the cent: $currency $from → $to after $after s", async ({ after, credit, charge, ...terms }) => {
    const plans = await halfway(terms);
    expect(plans.length).toBe(JUNE);
    const changed = await upgrade(plans, after);
    const invoice = await latestOf(stripe, changed);
    expect(linesOf(invoice)).toEqual([
      [expect.stringMatching(/^Unused time on Small after \d+ \w+ 2030$/), credit],
      [expect.stringMatching(/^Remaining time on Large after \d+ \w+ 2030$/), charge],
    ]);
    expect(invoice).toMatchObject({
      billing_reason: "subscription_update",
      total: credit + charge,
      amount_due: credit + charge,
      amount_paid: credit + charge,
      status: "paid",
    });
    expect(itemOf(changed)).toMatchObject({
      id: plans.item.id,
      price: { id: plans.to.id },
      current_period_end: plans.item.current_period_end,
    });
  });

  test("names what it credits: the invoice and the line that charged it, and the period", async () => {
    const plans = await halfway({ from: 600, to: 1_500 });
    const first = await latestOf(stripe, plans.subscription);
    const changed = await upgrade(plans, JUNE / 2);
    const { lines } = await latestOf(stripe, changed);
    const period = { start: plans.item.current_period_start + JUNE / 2, end: plans.item.current_period_end };
    expect(lines.data).toMatchObject([
      {
        period,
        discountable: false,
        parent: {
          type: "subscription_item_details",
          subscription_item_details: {
            invoice_item: expect.stringMatching(/^ii_/),
            proration: true,
            proration_details: {
              credited_items: { invoice: first.id, invoice_line_items: [first.lines.data[0]?.id] },
            },
            subscription_item: plans.item.id,
          },
        },
        pricing: { price_details: { price: plans.from.id } },
      },
      {
        period,
        parent: { subscription_item_details: { proration: true, proration_details: { credited_items: null } } },
        pricing: { price_details: { price: plans.to.id } },
      },
    ]);
  });

  test("includes tax in both lines, and in their sum", async () => {
    // 20 % included: 300 × 20/120 = 50; 750 × 20/120 = 125; together 75 of 450.
    const invoice = await latestOf(
      stripe,
      await upgrade(await halfway({ from: 600, to: 1_500, taxed: true }), JUNE / 2),
    );
    expect(invoice).toMatchObject({
      total: 450,
      total_excluding_tax: 375,
      total_taxes: [{ amount: 75, taxable_amount: 375, tax_behavior: "inclusive" }],
      lines: { data: [{ taxes: [{ amount: -50 }] }, { taxes: [{ amount: 125 }] }] },
    });
  });

  test("of a downgrade credits more than it charges: nothing is due, and the rest is the customer's", async () => {
    // −1 500 × 15/30 = −750; 600 × 15/30 = 300; together −450, of which the next invoice of 600 takes 450.
    const plans = await halfway({ from: 1_500, to: 600 });
    const invoice = await latestOf(stripe, await upgrade(plans, JUNE / 2));
    expect(invoice).toMatchObject({
      total: -450,
      amount_due: 0,
      starting_balance: 0,
      ending_balance: -450,
      status: "paid",
    });
    expect(await stripe.customers.retrieve(plans.customer.id)).toMatchObject({ balance: -450 });
    expect((await stripe.customers.listBalanceTransactions(plans.customer.id)).data).toMatchObject([
      { amount: -450, type: "applied_to_invoice", invoice: invoice.id },
    ]);
  });

  test("below the minimum charge waits for the next invoice", async () => {
    // One day is left: −600/30 = −20; 1 500/30 = 50; 30 ct are less than 50 ct.
    const plans = await halfway({ from: 600, to: 1_500 });
    const invoice = await latestOf(stripe, await upgrade(plans, JUNE - SECONDS_PER_DAY));
    expect(invoice).toMatchObject({ total: 30, amount_due: 0, amount_paid: 0, ending_balance: 30, status: "paid" });
    expect(await stripe.customers.retrieve(plans.customer.id)).toMatchObject({ balance: 30 });
  });

  test("credits a share of the charge, not of the price, so a discount isn't refunded", async () => {
    // 600 − 500 = 100 were paid: −100 × 15/30 = −50; 1 500 × 15/30 = 750.
    const coupon = await stripe.coupons.create({ amount_off: 500, currency: "eur", duration: "once" });
    const [from, to] = [await newPrice(stripe, "Small"), await newPrice(stripe, "Large", { amount: 1_500 })];
    const subscription = await subscribe(stripe, await newCustomer(stripe), from, {
      discounts: [{ coupon: coupon.id }],
    });
    expect(await latestOf(stripe, subscription)).toMatchObject({ subtotal: 600, total: 100, amount_paid: 100 });
    const item = itemOf(subscription);
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: to.id }],
      proration_behavior: "always_invoice",
      proration_date: item.current_period_start + JUNE / 2,
    });
    expect(linesOf(await latestOf(stripe, changed)).map(([, amount]) => amount)).toEqual([-50, 750]);
  });

  test("applies a permanent discount to the charge, too", async () => {
    // 10 %: 600 → 540, −540 × 15/30 = −270; 1 500 → 1 350, 1 350 × 15/30 = 675.
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: "forever" });
    const [from, to] = [await newPrice(stripe, "Small"), await newPrice(stripe, "Large", { amount: 1_500 })];
    const subscription = await subscribe(stripe, await newCustomer(stripe), from, {
      discounts: [{ coupon: coupon.id }],
    });
    const item = itemOf(subscription);
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: to.id }],
      proration_behavior: "always_invoice",
      proration_date: item.current_period_start + JUNE / 2,
    });
    expect(linesOf(await latestOf(stripe, changed)).map(([, amount]) => amount)).toEqual([-270, 675]);
  });
});

describe("a change", () => {
  test("credits what an earlier change charged", async () => {
    // After 10 days: 1 500 × 20/30 = 1 000. After 20: −1 000 × 10/20 = −500; 3 000 × 10/30 = 1 000.
    const plans = await halfway({ from: 600, to: 1_500 });
    await upgrade(plans, JUNE / 3);
    const team = await newPrice(stripe, "Team", { amount: 3_000 });
    const changed = await upgrade({ ...plans, to: team }, (JUNE / 3) * 2);
    expect(linesOf(await latestOf(stripe, changed)).map(([, amount]) => amount)).toEqual([-500, 1_000]);
  });

  test("with create_prorations adds lines to the next invoice, which the next change credits", async () => {
    const plans = await halfway({ from: 600, to: 1_500 });
    const changed = await upgrade(plans, JUNE / 2, { proration_behavior: "create_prorations" });
    expect(await invoicesOf(stripe, changed)).toHaveLength(1);
    const waiting = await stripe.invoiceItems.list({ customer: plans.customer.id, pending: true });
    expect(waiting.data.map(({ amount, proration }) => [amount, proration])).toEqual([
      [750, true],
      [-300, true],
    ]);
    const back = await upgrade({ ...plans, to: plans.from }, JUNE / 2, { proration_behavior: "create_prorations" });
    const all = await stripe.invoiceItems.list({ customer: plans.customer.id, pending: true });
    expect(all.data.map(({ amount }) => amount)).toEqual([300, -750, 750, -300]);
    expect(all.data[1]?.proration_details?.credited_items).toMatchObject({
      type: "invoice_item",
      invoice_item: waiting.data[0]?.id,
    });
    expect(itemOf(back).price.id).toBe(plans.from.id);
  });

  test("with none applies the new price from the next period", async () => {
    const plans = await halfway({ from: 600, to: 1_500 });
    const changed = await stripe.subscriptions.update(plans.subscription.id, {
      items: [{ id: plans.item.id, price: plans.to.id }],
      proration_behavior: "none",
    });
    expect(itemOf(changed).price.id).toBe(plans.to.id);
    expect(await invoicesOf(stripe, changed)).toHaveLength(1);
    expect((await stripe.invoiceItems.list({ customer: plans.customer.id })).data).toEqual([]);
  });

  test("to another interval begins a new cycle now, charges it in full, and credits unused time", async () => {
    // Half of the month was used: −600 × 15/30 = −300; a year costs 6 000.
    const customer = await newCustomer(stripe);
    const [monthly, yearly] = [
      await newPrice(stripe, "Small"),
      await newPrice(stripe, "Small", { amount: 6_000, interval: "year" }),
    ];
    const subscription = await subscribe(stripe, customer, monthly);
    const item = itemOf(subscription);
    const now = await nowOf(local);
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: yearly.id }],
      proration_date: item.current_period_start + JUNE / 2,
    });
    const invoice = await latestOf(stripe, changed);
    expect(linesOf(invoice)).toEqual([
      [expect.stringContaining("Unused time on Small"), -300],
      ["1 × Small", 6_000],
    ]);
    expect(invoice).toMatchObject({ total: 5_700, amount_paid: 5_700 });
    expect(changed.billing_cycle_anchor).toBeGreaterThanOrEqual(now);
    expect(itemOf(changed).current_period_start).toBe(changed.billing_cycle_anchor);
    expect(itemOf(changed).current_period_end - changed.billing_cycle_anchor).toBe(365 * SECONDS_PER_DAY);
  });

  test("of a subscription that ends with its period makes it end with the new period", async () => {
    const yearly = await newPrice(stripe, "Small", { amount: 6_000, interval: "year" });
    const { subscription, item } = await halfway({ from: 600, to: 1_500 });
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const changed = await stripe.subscriptions.update(subscription.id, { items: [{ id: item.id, price: yearly.id }] });
    expect(changed).toMatchObject({ cancel_at_period_end: true, cancel_at: itemOf(changed).current_period_end });
  });

  test("of a quantity charges each unit, and a change of the price resets it to one", async () => {
    // 2 × 600 = 1 200; −1 200 × 15/30 = −600; 3 × 600 × 15/30 = 900. Then 1 × 1 500 × 15/30 = 750.
    const { subscription, item, to } = await halfway({ from: 600, to: 1_500 });
    const pinned = {
      proration_behavior: "always_invoice" as const,
      proration_date: item.current_period_start + JUNE / 2,
    };
    const change = (change: Stripe.SubscriptionUpdateParams.Item) =>
      stripe.subscriptions.update(subscription.id, { items: [{ id: item.id, ...change }], ...pinned });
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, quantity: 2 }],
      ...pinned,
      proration_date: item.current_period_start,
    });
    expect(linesOf(await latestOf(stripe, await change({ quantity: 3 })))).toEqual([
      [expect.stringContaining("Unused time on 2 × Small"), -600],
      [expect.stringContaining("Remaining time on 3 × Small"), 900],
    ]);
    const changed = await change({ price: to.id });
    expect(itemOf(changed).quantity).toBe(1);
    expect(linesOf(await latestOf(stripe, changed)).map(([, amount]) => amount)).toEqual([-900, 750]);
  });

  test("without the item's id adds another item, and both are paid", async () => {
    const plans = await halfway({ from: 600, to: 1_500 });
    const changed = await stripe.subscriptions.update(plans.subscription.id, { items: [{ price: plans.to.id }] });
    expect(changed.items.data.map(({ price }) => price.unit_amount)).toEqual([600, 1_500]);
  });
});

describe("a change is refused", () => {
  const refusal = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

  test("with a time outside of the period, a price that isn't sold, another currency, or an item of another subscription", async () => {
    const plans = await halfway({ from: 600, to: 1_500 });
    const other = await halfway({ from: 600, to: 1_500 });
    await stripe.prices.update(other.to.id, { active: false });
    const dollars = await newPrice(stripe, "Dollars", { currency: "usd" });
    const ask = (items: Stripe.SubscriptionUpdateParams.Item[], extra: Stripe.SubscriptionUpdateParams = {}) =>
      refusal(stripe.subscriptions.update(plans.subscription.id, { items, ...extra }));
    const item = { id: plans.item.id, price: plans.to.id };
    expect(await ask([item], { proration_date: plans.item.current_period_end + 1 })).toMatchObject({
      statusCode: 400,
      param: "proration_date",
    });
    expect(await ask([{ ...item, price: other.to.id }])).toMatchObject({ param: "items[0][price]" });
    expect(await ask([{ ...item, price: dollars.id }])).toMatchObject({
      message: expect.stringContaining("expected currency: `eur`"),
    });
    expect(await ask([{ ...item, id: other.item.id }])).toMatchObject({ code: "resource_missing" });
    expect(await invoicesOf(stripe, plans.subscription)).toHaveLength(1);
  });
});
