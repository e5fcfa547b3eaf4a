import { expect, test } from "vitest";
import { openPortal } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { large, minor, pages, small } from "#tests/support/catalogue.ts";
import { openTill } from "#tests/support/till.ts";
import { product } from "#app/product/config.ts";
import { checkoutFields } from "#tests/support/checkout-fields.ts";

/** Somebody on the larger plan, and their subscription as it is now. */
async function onLarge() {
  const till = await openTill();
  await till.buy(large.id);
  await till.settle();
  const customer = await till.customerId();
  const now = async () => {
    const [subscription] = (await till.stripe.subscriptions.list({ customer })).data;
    if (!subscription) throw new Error("There is no subscription");
    return subscription;
  };
  const planSmaller = async () => {
    const wish = { subscriptionId: (await now()).id, priceKey: priceKey(small.id, "month") };
    expect(await till.payments.withOwnDeadline().planChange(wish)).toMatchObject({ ok: true });
  };
  const schedule = async () => (await till.stripe.subscriptionSchedules.list({ customer })).data[0];
  const charged = async () => {
    const { data } = await till.stripe.charges.list({ customer });
    return data.map(({ amount, payment_method_details: by }) => [amount, by?.card?.last4]).toReversed();
  };
  return { till, customer, now, planSmaller, schedule, charged };
}

test("a coupon that was given in the dashboard survives the planning of a smaller plan, twice, and holds for it", async () => {
  const { till, now, planSmaller, charged } = await onLarge();
  const coupon = await till.stripe.coupons.create({
    amount_off: 100,
    currency: product.currency.toLowerCase(),
    duration: "forever",
  });
  const { id } = await now();
  await till.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }], description: "Partner" });
  const { discounts } = await now();
  expect(discounts).toHaveLength(1);
  await planSmaller();
  expect(await now()).toMatchObject({ discounts, description: "Partner" });
  await planSmaller();
  expect(await now()).toMatchObject({ discounts, description: "Partner" });
  await till.pass(31.5);
  expect((await charged()).at(-1)).toEqual([minor(small) - 100, "4242"]);
});

test("a trial goes on to its end when a smaller plan is planned within it", async () => {
  const { till, now, planSmaller, charged } = await onLarge();
  const trialEnd = Math.floor(till.app.clock() / 1000) + 40 * 86_400;
  await till.stripe.subscriptions.update((await now()).id, { trial_end: trialEnd, proration_behavior: "none" });
  expect(await now()).toMatchObject({ status: "trialing" });
  const before = await charged();
  await planSmaller();
  expect(await now()).toMatchObject({ status: "trialing", trial_end: trialEnd });
  expect(await charged()).toEqual(before);
});

test("a card that is chosen after a smaller plan was planned is charged for that: customer, plan and schedule agree", async () => {
  const { till, customer, now, planSmaller, schedule, charged } = await onLarge();
  await planSmaller();
  await till.settle();
  // Stripe copies the plan's card to the schedule, which charges it from its next phase on.
  expect((await schedule())?.default_settings.default_payment_method).toBe((await now()).default_payment_method);
  const opened = await openPortal(till.app, till.accountId, pages.plan);
  if (!opened.ok) throw new Error(opened.refusal.reason);
  await till.send(opened.value.url, checkoutFields("5555555555554444"));
  await Promise.all([till.settle(), till.settle()]);
  const holder = await till.stripe.customers.retrieve(customer);
  const chosen = holder.deleted ? null : holder.invoice_settings.default_payment_method;
  expect((await schedule())?.default_settings.default_payment_method).toBe(chosen);
  await till.pass(31.5);
  expect((await charged()).at(-1)).toEqual([minor(small), "4444"]);
  await till.settle();
  expect((await till.rows()).subscriptions).toMatchObject([{ plan_id: small.id, card_last4: "4444" }]);
});
