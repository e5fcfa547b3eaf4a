import { idOf } from "#tests/support/ids.ts";
import { product } from "#app/product/config.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { nextCharge } from "#app/modules/billing/subscriptions/rules.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { priceMinorOf } from "#app/modules/catalogue/rules.ts";
import { shownPrice } from "#app/modules/catalogue/shown-prices.rules.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** An account on a plan, to which the team gives discounts in the provider's dashboard. */
async function subscriber(planId = small.id) {
  const harness = await openBillingHarness();
  await harness.buy(planId);
  await harness.reconcile();
  const [subscription] = (await harness.stripe.subscriptions.list()).data;
  const id = idOf("sub", subscription?.id);
  const give = async (percent: number, duration: "forever" | "once") => {
    const coupon = await harness.stripe.coupons.create({ percent_off: percent, duration });
    await harness.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
    await harness.reconcile();
  };
  return { harness, id, give };
}

/** What the plan page and the overview show. */
async function shown(harness: BillingHarness) {
  const { running, creditMinor } = await showPlan(harness.app, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  return nextCharge(running, priceMinorOf.bind(null, harness.app.product), creditMinor)?.amountMinor;
}

/** What is charged with the next period. */
async function renewed(harness: BillingHarness) {
  await harness.pass(31.5);
  await harness.reconcile();
  const renewals = (await harness.rows()).orders.filter(({ kind }) => kind === "renewal");
  const [newest] = renewals.toSorted((one, other) => Number(other["created_at"]) - Number(one["created_at"]));
  return Number(newest?.["amount_minor"]);
}

test("a discount for one renewal is in the next charge, and the full price returns once it is used up", async () => {
  const { harness, give } = await subscriber();
  await give(50, "once");
  expect(await shown(harness)).toBe(minor(small) / 2);
  expect(await renewed(harness)).toBe(minor(small) / 2);
  expect(await shown(harness)).toBe(minor(small));
  expect(await renewed(harness)).toBe(minor(small));
});

test("a permanent discount is in every next charge, after credit, until the team removes it", async () => {
  const { harness, id, give } = await subscriber();
  await give(25, "forever");
  const off = minor(small) * 0.75;
  expect([await shown(harness), await renewed(harness), await shown(harness)]).toEqual([off, off, off]);
  const credit = { amount: -100, currency: product.currency.toLowerCase() };
  await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), credit);
  await harness.reconcile();
  expect([await shown(harness), await renewed(harness)]).toEqual([off - 100, off - 100]);
  await harness.stripe.subscriptions.update(id, { discounts: "" });
  await harness.reconcile();
  expect([await shown(harness), await renewed(harness)]).toEqual([minor(small), minor(small)]);
});

test("a discount applies to the scheduled smaller plan, and the next charge includes it", async () => {
  const { harness, id, give } = await subscriber(large.id);
  await give(50, "forever");
  await harness.payments.scheduleChange({ subscriptionId: id, price: shownPrice(product, small.id, "month") });
  await harness.reconcile();
  expect(await shown(harness)).toBe(minor(small) / 2);
  expect(await renewed(harness)).toBe(minor(small) / 2);
});

test("a plan that doesn't renew, or isn't collected, has no preview", async () => {
  const { harness, id, give } = await subscriber();
  await give(50, "forever");
  await harness.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await harness.reconcile();
  expect(await shown(harness)).toBeUndefined();
  await harness.stripe.subscriptions.update(id, {
    cancel_at_period_end: false,
    pause_collection: { behavior: "void" },
  });
  await harness.reconcile();
  expect(await shown(harness)).toBeUndefined();
  const row = await env.DB.prepare("select renewal_minor as renewal from subscriptions where id = ?").bind(id).first();
  expect(row).toEqual({ renewal: null });
});

test.each<[string, string, Interval]>([
  ["of now", large.id, "month"],
  ["of the next period", small.id, "month"],
])("the quote of a change %s says that the discount reduces the later price", async (_, planId, interval) => {
  const { harness, give } = await subscriber(planId === small.id ? large.id : small.id);
  const offer = async () => {
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("Nothing runs");
    const buyer = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
    return offerChange(harness.app, buyer, { planId, interval });
  };
  expect(await offer()).toMatchObject({ next: { isDiscounted: false } });
  await give(50, "forever");
  expect(await offer()).toMatchObject({ next: { isDiscounted: true } });
});
