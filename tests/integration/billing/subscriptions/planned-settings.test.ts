import { idOf } from "#tests/support/ids.ts";
import { expect, test } from "vitest";
import { openPortal } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { shownPrice } from "#app/modules/catalogue/shown-prices.rules.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { large, minor, pages, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { product } from "#app/product/config.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";

/** An account on the larger plan, and its subscription as it is now. */
async function onLarge() {
  const harness = await openBillingHarness();
  await harness.buy(large.id);
  await harness.reconcile();
  const customer = await harness.customerId();
  const now = async () => {
    const [subscription] = (await harness.stripe.subscriptions.list({ customer })).data;
    if (!subscription) throw new Error("There is no subscription");
    return subscription;
  };
  const planSmaller = async () => {
    const input = { subscriptionId: idOf("sub", (await now()).id), price: shownPrice(product, small.id, "month") };
    expect(await harness.payments.withOwnDeadline().scheduleChange(input)).toMatchObject({ ok: true });
  };
  const schedule = async () => (await harness.stripe.subscriptionSchedules.list({ customer })).data[0];
  const charged = async () => {
    const { data } = await harness.stripe.charges.list({ customer });
    return data.map(({ amount, payment_method_details: by }) => [amount, by?.card?.last4]).toReversed();
  };
  return { harness, customer, now, planSmaller, schedule, charged };
}

test("a coupon given in the dashboard survives two schedulings of a smaller plan, and applies to it", async () => {
  const { harness, now, planSmaller, charged } = await onLarge();
  const coupon = await harness.stripe.coupons.create({
    amount_off: 100,
    currency: product.currency.toLowerCase(),
    duration: "forever",
  });
  const { id } = await now();
  await harness.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }], description: "Partner" });
  const { discounts } = await now();
  expect(discounts).toHaveLength(1);
  await planSmaller();
  expect(await now()).toMatchObject({ discounts, description: "Partner" });
  await planSmaller();
  expect(await now()).toMatchObject({ discounts, description: "Partner" });
  await harness.pass(31.5);
  expect((await charged()).at(-1)).toEqual([minor(small) - 100, "4242"]);
});

test("a trial runs to its end when a smaller plan is scheduled within it", async () => {
  const { harness, now, planSmaller, charged } = await onLarge();
  const trialEnd = Math.floor(harness.app.clock() / 1000) + 40 * 86_400;
  await harness.stripe.subscriptions.update((await now()).id, { trial_end: trialEnd, proration_behavior: "none" });
  expect(await now()).toMatchObject({ status: "trialing" });
  const before = await charged();
  await planSmaller();
  expect(await now()).toMatchObject({ status: "trialing", trial_end: trialEnd });
  expect(await charged()).toEqual(before);
});

test("a card chosen after a smaller plan was scheduled is charged for it: customer, plan and schedule agree", async () => {
  const { harness, customer, now, planSmaller, schedule, charged } = await onLarge();
  await planSmaller();
  await harness.reconcile();
  // Stripe copies the plan's card to the schedule, which charges it from its next phase on.
  expect((await schedule())?.default_settings.default_payment_method).toBe((await now()).default_payment_method);
  const opened = await openPortal(harness.app, harness.accountId, pages.plan);
  if (!opened.ok) throw new Error(opened.refusal.reason);
  await harness.send(opened.value.url, checkoutFields("5555555555554444"));
  await Promise.all([harness.reconcile(), harness.reconcile()]);
  const holder = await harness.stripe.customers.retrieve(customer);
  const chosen = holder.deleted ? null : holder.invoice_settings.default_payment_method;
  expect((await schedule())?.default_settings.default_payment_method).toBe(chosen);
  await harness.pass(31.5);
  expect((await charged()).at(-1)).toEqual([minor(small), "4444"]);
  await harness.reconcile();
  expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: small.id, card_last4: "4444" }]);
});

test("a quote for an immediate change schedules no later one, not even of the same amount", async () => {
  const { harness, schedule } = await onLarge();
  const account = await harness.account();
  const now = harness.app.clock();
  const confirm = async (prorationAt: number | null) => {
    const quoted = { amountMinor: minor(small), currency: product.currency, quotedAt: now, prorationAt };
    const quote = await writeQuote(harness.app.pepper, account.id, quoted);
    return startChange(harness.app, account, { planId: small.id, interval: "month", quote });
  };
  expect(await confirm(now)).toEqual({ ok: false, refusal: { reason: "quote-moved" } });
  expect(await schedule()).toBeUndefined();
  expect(await confirm(null)).toMatchObject({ value: { kind: "planned" } });
});
