import { product } from "#app/product/config.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { showPlan } from "#app/modules/plan-changes/reads/show-plan.server.ts";
import { nextCharge } from "#app/modules/subscriptions/rules.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { type Interval, priceKey, priceMinorOf } from "#app/modules/catalogue/rules.ts";
import { large, minor, small } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";

/** Somebody on a plan, to which the team gives discounts in the provider's dashboard. */
async function subscriber(planId = small.id) {
  const till = await openTill();
  await till.buy(planId);
  await till.settle();
  const [subscription] = (await till.stripe.subscriptions.list()).data;
  const id = String(subscription?.id);
  const give = async (percent: number, duration: "forever" | "once") => {
    const coupon = await till.stripe.coupons.create({ percent_off: percent, duration });
    await till.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
    await till.settle();
  };
  return { till, id, give };
}

/** What the plan page and the overview name. */
async function shown(till: Till) {
  const { running, creditMinor } = await showPlan(till.app, till.accountId);
  if (!running) throw new Error("Nothing runs");
  return nextCharge(running, priceMinorOf.bind(null, till.app.product), creditMinor)?.amountMinor;
}

/** What is charged with the next period. */
async function renewed(till: Till) {
  await till.pass(31.5);
  await till.settle();
  const renewals = (await till.rows()).orders.filter(({ kind }) => kind === "renewal");
  const [newest] = renewals.toSorted((one, other) => Number(other["created_at"]) - Number(one["created_at"]));
  return Number(newest?.["amount_minor"]);
}

test("a discount for one renewal is in the next charge, and the price is again once it is used up", async () => {
  const { till, give } = await subscriber();
  await give(50, "once");
  expect(await shown(till)).toBe(minor(small) / 2);
  expect(await renewed(till)).toBe(minor(small) / 2);
  expect(await shown(till)).toBe(minor(small));
  expect(await renewed(till)).toBe(minor(small));
});

test("a discount that lasts is in every next charge, after credit, until the team takes it away", async () => {
  const { till, id, give } = await subscriber();
  await give(25, "forever");
  const off = minor(small) * 0.75;
  expect([await shown(till), await renewed(till), await shown(till)]).toEqual([off, off, off]);
  const credit = { amount: -100, currency: product.currency.toLowerCase() };
  await till.stripe.customers.createBalanceTransaction(await till.customerId(), credit);
  await till.settle();
  expect([await shown(till), await renewed(till)]).toEqual([off - 100, off - 100]);
  await till.stripe.subscriptions.update(id, { discounts: "" });
  await till.settle();
  expect([await shown(till), await renewed(till)]).toEqual([minor(small), minor(small)]);
});

test("a discount holds for the smaller plan that is planned, and the next charge says so", async () => {
  const { till, id, give } = await subscriber(large.id);
  await give(50, "forever");
  await till.payments.planChange({ subscriptionId: id, priceKey: priceKey(small.id, "month") });
  await till.settle();
  expect(await shown(till)).toBe(minor(small) / 2);
  expect(await renewed(till)).toBe(minor(small) / 2);
});

test("what renews no more, or isn't collected, is not asked about", async () => {
  const { till, id, give } = await subscriber();
  await give(50, "forever");
  await till.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await till.settle();
  expect(await shown(till)).toBeUndefined();
  await till.stripe.subscriptions.update(id, { cancel_at_period_end: false, pause_collection: { behavior: "void" } });
  await till.settle();
  expect(await shown(till)).toBeUndefined();
  const row = await env.DB.prepare("select renewal_minor as renewal from subscriptions where id = ?").bind(id).first();
  expect(row).toEqual({ renewal: null });
});

test.each<[string, string, Interval]>([
  ["of now", large.id, "month"],
  ["of the next period", small.id, "month"],
])(
  "the quote of a change %s says that the discount comes off the price that it names for later",
  async (_, planId, interval) => {
    const { till, give } = await subscriber(planId === small.id ? large.id : small.id);
    const offer = async () => {
      const running = await findRunningSubscription(till.app.db, till.accountId);
      if (!running) throw new Error("Nothing runs");
      const standing = { accountId: till.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
      return offerChange(till.app, standing, { planId, interval });
    };
    expect(await offer()).toMatchObject({ next: { isDiscounted: false } });
    await give(50, "forever");
    expect(await offer()).toMatchObject({ next: { isDiscounted: true } });
  },
);
