import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { balanceOf } from "#app/modules/billing/credit/rules.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { noRequest } from "#app/core/id.ts";
import { readClosing } from "#app/modules/closing/reads/read-closing.server.ts";
import { endBilling } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { endOfPeriod } from "#app/modules/billing/subscriptions/periods.rules.ts";
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

  test("whose end was removed in Stripe's dashboard refunds nothing, however it ends later", async () => {
    const harness = await aYear({ isRenewed: true });
    await cancel(harness);
    const id = (await planOf(harness))?.id ?? "";
    await harness.stripe.subscriptions.update(id, { cancel_at: "" });
    await harness.reconcile();
    expect(await planOf(harness)).toMatchObject({ cancelsAt: null, endsByNotice: false });
    await harness.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await harness.reconcile();
    const plan = await planOf(harness);
    expect(plan).toMatchObject({ cancelsAt: plan?.periodEndsAt, endsByNotice: false });
    await harness.stripe.subscriptions.cancel(id);
    await harness.reconcile();
    expect([await sent(harness), (await contractTotals(harness)).plan]).toEqual([0, "ended"]);
  });

  test("that ends at once within its notice is refunded from the end of the notice", async () => {
    const harness = await aYear({ isRenewed: true });
    await cancel(harness);
    const { id = "", cancelsAt = 0, periodEndsAt = 0 } = (await planOf(harness)) ?? {};
    await harness.pass(10);
    // As when its account is closed.
    await harness.stripe.subscriptions.cancel(id);
    await harness.reconcile();
    const owed = (yearly * (periodEndsAt - (cancelsAt ?? 0))) / (365 * dayMs);
    expect(Math.abs((await sent(harness)) - owed)).toBeLessThanOrEqual(yearly / 365 + 1);
  });

  test("that credit paid in part gives back as much of the credit, as credit, once", async () => {
    const harness = await openBillingHarness(sold);
    await harness.buy(small.id, "year");
    await harness.reconcile();
    const usedMinor = Math.floor(yearly / 2);
    const currency = sold.currency.toLowerCase();
    await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), {
      amount: -usedMinor,
      currency,
    });
    const sync = async () => {
      await harness.reconcile();
      await syncCredit(harness.app, harness.accountId);
      return balanceOf(await listLedgerLines(harness.app.db, harness.accountId));
    };
    expect(await sync()).toBe(usedMinor);
    await harness.pass(366 + 20);
    expect(await sync()).toBe(0);
    await cancel(harness);
    const { cancelsAt = 0, periodEndsAt = 0 } = (await planOf(harness)) ?? {};
    await harness.pass(32);
    const creditMinor = await sync();
    const rest = (periodEndsAt - (cancelsAt ?? 0)) / (365 * dayMs);
    expect(Math.abs(creditMinor - usedMinor * rest)).toBeLessThanOrEqual(usedMinor / 365 + 1);
    expect(Math.abs((await sent(harness)) - (yearly - usedMinor) * rest)).toBeLessThanOrEqual(yearly / 365 + 1);
    expect(await sync()).toBe(creditMinor);
    const credited = (await harness.rows()).documents.filter(({ reason }) => reason === "credit");
    expect(credited.map(({ total_minor, money_minor }) => [total_minor, money_minor])).toEqual([[creditMinor, 0]]);
    const { balance } = await harness.stripe.customers.retrieve(await harness.customerId()).then((found) => {
      if (found.deleted) throw new Error("The customer is gone");
      return found;
    });
    expect(balance).toBe(-creditMinor);
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

describe("closing the account in a renewed year", () => {
  const shown = (harness: BillingHarness) =>
    readClosing(harness.app, harness.accountId, { proof: noRequest, browserHash: "" });
  const close = (harness: BillingHarness) =>
    endBilling({ ...harness.app, payments: harness.payments.withOwnDeadline() }, harness.accountId);

  test("refunds at once, and once, what cancelling would, as the page says before", async () => {
    const harness = await aYear({ isRenewed: true });
    const { refund, running } = await shown(harness);
    const at = harness.app.clock();
    expect(Math.abs((refund?.noticeUntil ?? 0) - endOfPeriod(at, "month"))).toBeLessThan(minuteMs);
    expect((await Promise.all([close(harness), close(harness)])).map(({ ok }) => ok)).toEqual([true, true]);
    const owed = (yearly * ((running?.periodEndsAt ?? 0) - endOfPeriod(at, "month"))) / (365 * dayMs);
    expect(Math.abs((await sent(harness)) - owed)).toBeLessThanOrEqual(yearly / 365 + 1);
    expect(Math.abs((await sent(harness)) - (refund?.amountMinor ?? 0))).toBeLessThanOrEqual(1);
    const once = await sent(harness);
    await harness.pass(40);
    await close(harness);
    await harness.reconcile();
    expect(await sent(harness)).toBe(once);
    expect((await contractTotals(harness)).plan).toBe("ended");
  });

  test("that was cancelled before refunds what follows that notice", async () => {
    const harness = await aYear({ isRenewed: true });
    await cancel(harness);
    const { cancelsAt } = (await planOf(harness)) ?? {};
    await harness.pass(10);
    const { refund } = await shown(harness);
    expect(refund?.noticeUntil).toBe(cancelsAt);
    expect(await close(harness)).toMatchObject({ ok: true });
    expect(Math.abs((await sent(harness)) - (refund?.amountMinor ?? 0))).toBeLessThanOrEqual(1);
  });

  test("refunds nothing of a first year", async () => {
    const harness = await aYear({ isRenewed: false });
    expect((await shown(harness)).refund).toBeNull();
    expect(await close(harness)).toMatchObject({ ok: true });
    expect(await sent(harness)).toBe(0);
  });
});

describe("a year that no renewal began ends with its period", () => {
  async function endsWithPeriod(harness: BillingHarness) {
    await cancel(harness);
    const plan = await planOf(harness);
    expect(plan).toMatchObject({ cancelsAt: plan?.periodEndsAt, endsByNotice: false });
    return plan;
  }

  test("after a trial, until it is renewed", async () => {
    const harness = await openBillingHarness(sold);
    // Which leaves a customer.
    await harness.buy(small.id, "month");
    await harness.reconcile();
    await harness.stripe.subscriptions.cancel((await planOf(harness))?.id ?? "");
    await harness.reconcile();
    const customer = await harness.customerId();
    await harness.useCard("pm_card_visa");
    const prices = await harness.stripe.prices.list({ limit: 100 });
    const price = prices.data.find((each) => each.unit_amount === yearly && each.recurring?.interval === "year")?.id;
    await harness.stripe.subscriptions.create({ customer, items: [{ price: price ?? "" }], trial_period_days: 14 });
    await harness.pass(34);
    await harness.reconcile();
    expect(await planOf(harness)).toMatchObject({ state: "active", interval: "year", trialEndsAt: null });
    await endsWithPeriod(harness);
    expect(await runSubscriptionAction(harness.app, await harness.account(), "resume")).toMatchObject({ ok: true });
    await harness.pass(366);
    await harness.reconcile();
    await cancel(harness);
    expect(await planOf(harness)).toMatchObject({ endsByNotice: true });
  });

  test("after a change that was scheduled for the renewal", async () => {
    const harness = await openBillingHarness(sold);
    await harness.buy(large.id, "year");
    await harness.reconcile();
    expect(await change(harness, { planId: small.id, interval: "year" })).toMatchObject({ ok: true });
    await harness.pass(366 + 20);
    await harness.reconcile();
    expect(await planOf(harness)).toMatchObject({ state: "active", planId: small.id });
    await endsWithPeriod(harness);
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
