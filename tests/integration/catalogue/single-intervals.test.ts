import { describe, expect, test } from "vitest";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { type Interval, intervals } from "#app/core/time/interval.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { product } from "#app/product/config.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** The tests' product with a single price for each plan. */
function soldBy(own: { small: Interval; large: Interval }): ProductConfig {
  const plans = [small, large].map((plan) => {
    const interval = plan === small ? own.small : own.large;
    return { ...plan, prices: { [interval]: { amountMinor: minor(plan, interval) } } };
  });
  return { ...product, plans: [...product.plans.filter(({ prices }) => prices === null), ...plans] };
}

const offer = async (harness: BillingHarness, planId: string, interval: Interval | null) =>
  offerPlan(harness.app, harness.accountId, await findBuyer(harness.app, harness.accountId), {
    planId,
    interval,
  });

/** Confirms what is offered for the plan's own interval, and returns when it begins. */
async function changeTo(harness: BillingHarness, planId: string): Promise<"now" | "later"> {
  const { interval, offer: offered } = await offer(harness, planId, null);
  if (offered?.kind !== "now" && offered?.kind !== "later") throw new Error(`No change: ${JSON.stringify(offered)}`);
  const changed = await startChange(harness.app, await harness.account(), { planId, interval, quote: offered.quote });
  expect(changed).toMatchObject({ ok: true });
  await harness.reconcile();
  return offered.kind;
}

const running = async (harness: BillingHarness) => (await findBuyer(harness.app, harness.accountId)).running;

describe.each(intervals)("a product that is sold by the %s only", (interval) => {
  const other = interval === "month" ? "year" : "month";
  const open = () => openBillingHarness(soldBy({ small: interval, large: interval }));

  test("is quoted and bought for that interval without a choice, and not for the other one", async () => {
    const harness = await open();
    expect(await offer(harness, small.id, null)).toMatchObject({ interval, offer: { kind: "start" } });
    expect((await offer(harness, small.id, other)).offer).toEqual({
      kind: "refused",
      refusal: { reason: "interval-not-sold" },
    });
    await harness.buy(small.id, interval);
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid", amount_minor: minor(small, interval) }]);
    expect(await running(harness)).toMatchObject({ planId: small.id, interval });
  });

  test("is changed to a larger plan now, and to a smaller one with the next period", async () => {
    const harness = await open();
    await harness.buy(small.id, interval);
    await harness.reconcile();
    expect(await changeTo(harness, large.id)).toBe("now");
    expect(await running(harness)).toMatchObject({ planId: large.id, interval, amountMinor: minor(large, interval) });
    expect(await changeTo(harness, small.id)).toBe("later");
    expect(await running(harness)).toMatchObject({
      planId: large.id,
      pendingPlanId: small.id,
      pendingInterval: interval,
    });
  });
});

describe("plans with one interval each", () => {
  test("are changed from the yearly to a monthly one when the year ends", async () => {
    const harness = await openBillingHarness(soldBy({ small: "year", large: "month" }));
    await harness.buy(small.id, "year");
    await harness.reconcile();
    expect(await changeTo(harness, large.id)).toBe("later");
    expect(await running(harness)).toMatchObject({
      interval: "year",
      pendingPlanId: large.id,
      pendingInterval: "month",
    });
  });

  test("are changed from the monthly to a yearly one now, for the year's price less the unused part", async () => {
    const harness = await openBillingHarness(soldBy({ small: "month", large: "year" }));
    await harness.buy(small.id, "month");
    await harness.reconcile();
    const { interval, offer: offered } = await offer(harness, large.id, null);
    expect([interval, offered?.kind]).toEqual(["year", "now"]);
    const charged = offered?.kind === "now" ? offered.charge.amountMinor : 0;
    expect(charged).toBeGreaterThan(minor(large, "year") - minor(small) - 1);
    expect(charged).toBeLessThanOrEqual(minor(large, "year"));
    expect(await changeTo(harness, large.id)).toBe("now");
    const amounts = (await harness.rows()).orders.map(({ amount_minor: amount }) => amount);
    expect(amounts.toSorted()).toEqual([charged, minor(small)].toSorted());
    expect(await running(harness)).toMatchObject({ planId: large.id, interval: "year" });
  });
});
