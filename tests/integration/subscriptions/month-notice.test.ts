import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { runSubscriptionAction } from "#app/modules/plan-changes/commands/run-subscription-action.server.ts";
import { showPlan } from "#app/modules/plan-changes/reads/show-plan.server.ts";
import { endOfPeriod } from "#app/modules/subscriptions/periods.rules.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { change, contractTotals, orders } from "#tests/support/billing/contracts.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";

beforeEach(async () => {
  await env.DB.exec("delete from withdrawals");
});

const yearly = minor(small, "year");
const sold = { ...product, afterFirstTerm: "month-notice" } as const;

/** A year that began 66 days ago by a renewal, or so long ago by the purchase. */
async function aYear({ isRenewed, product: own = sold }: { isRenewed: boolean; product?: ProductConfig }) {
  const harness = await openBillingHarness(own);
  await harness.buy(small.id, "year");
  await harness.reconcile();
  if (isRenewed) await harness.pass(366);
  await harness.pass(65);
  await harness.reconcile();
  return harness;
}

async function cancel(harness: BillingHarness) {
  const at = harness.app.clock();
  expect(await runSubscriptionAction(harness.app, await harness.account(), "cancel")).toMatchObject({ ok: true });
  return at;
}

const planOf = async (harness: BillingHarness) => (await showPlan(harness.app, harness.accountId)).running;
const sent = async (harness: BillingHarness) =>
  (await orders(harness)).map(({ backMinor }) => backMinor).reduce((all, each) => all + each, 0);

describe("a renewed year", () => {
  test("ends a month after it was cancelled, and what is left of it is refunded then, once", async () => {
    const harness = await aYear({ isRenewed: true });
    const shown = (await showPlan(harness.app, harness.accountId)).noticeEndsAt;
    const at = await cancel(harness);
    const plan = await planOf(harness);
    expect(plan).toMatchObject({ endsByNotice: true });
    expect(Math.abs((plan?.cancelsAt ?? 0) - endOfPeriod(at, "month"))).toBeLessThan(minuteMs);
    expect(Math.abs((plan?.cancelsAt ?? 0) - (shown ?? 0))).toBeLessThan(minuteMs);
    await harness.pass(20);
    await harness.reconcile();
    expect([await sent(harness), (await planOf(harness))?.state]).toEqual([0, "active"]);
    await harness.pass(12);
    await harness.reconcile();
    const after = await contractTotals(harness);
    expect(after.plan).toBe("ended");
    const { cancelsAt = 0, periodEndsAt = 0 } = plan ?? {};
    const owed = (yearly * (periodEndsAt - (cancelsAt ?? 0))) / (365 * dayMs);
    expect(Math.abs((await sent(harness)) - owed)).toBeLessThanOrEqual(yearly / 365 + 1);
    // The first year is over, and stays paid.
    expect((await orders(harness)).map(({ backMinor }) => backMinor > 0)).toEqual([false, true]);
    await harness.app.settled();
    expect(harness.app.emails.filter(({ subject }) => /refund/i.test(subject))).toHaveLength(1);
  });

  test("that was changed to another plan meanwhile is refunded by what both orders paid for the rest", async () => {
    const harness = await aYear({ isRenewed: true });
    expect(await change(harness, { planId: large.id, interval: "year" })).toMatchObject({ ok: true });
    await harness.reconcile();
    await cancel(harness);
    const plan = await planOf(harness);
    await harness.pass(32);
    await harness.reconcile();
    expect((await contractTotals(harness)).plan).toBe("ended");
    const owed = (minor(large, "year") * ((plan?.periodEndsAt ?? 0) - (plan?.cancelsAt ?? 0))) / (365 * dayMs);
    expect(Math.abs((await sent(harness)) - owed)).toBeLessThanOrEqual(minor(large, "year") / 365 + 1);
  });

  test("goes on if the cancellation is undone, and nothing is refunded", async () => {
    const harness = await aYear({ isRenewed: true });
    await cancel(harness);
    expect(await runSubscriptionAction(harness.app, await harness.account(), "resume")).toMatchObject({ ok: true });
    expect(await planOf(harness)).toMatchObject({ cancelsAt: null, endsByNotice: false });
    await harness.pass(40);
    await harness.reconcile();
    expect([await sent(harness), (await planOf(harness))?.state]).toEqual([0, "active"]);
    // The notice is forgotten: an end in the dashboard refunds nothing.
    await harness.stripe.subscriptions.cancel((await planOf(harness))?.id ?? "");
    await harness.reconcile();
    expect(await sent(harness)).toBe(0);
  });
});

test.each([
  ["a first year", { isRenewed: false }],
  [
    "a renewed year of a product with another term",
    { isRenewed: true, product: { ...sold, afterFirstTerm: "another-term" } },
  ],
] as const)("%s ends with its period, and nothing is refunded", async (_, facts) => {
  const harness = await aYear({ ...facts, ...("product" in facts && { product: { ...product, ...facts.product } }) });
  await cancel(harness);
  const plan = await planOf(harness);
  expect(plan).toMatchObject({ cancelsAt: plan?.periodEndsAt, endsByNotice: false });
  await harness.pass(310);
  await harness.reconcile();
  expect([await sent(harness), (await contractTotals(harness)).plan]).toEqual([0, "ended"]);
});
