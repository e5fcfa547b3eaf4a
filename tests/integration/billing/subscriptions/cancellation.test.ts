import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { done } from "#app/core/result.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { changeCancellation } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { nextCharge } from "#app/modules/billing/subscriptions/rules.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

async function aSubscriber() {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const [subscription] = (await harness.stripe.subscriptions.list()).data;
  if (!subscription) throw new Error("Nothing runs");
  return { harness, id: subscription.id };
}

const row = async (harness: BillingHarness) => (await harness.rows()).subscriptions[0];
const templates = async (harness: BillingHarness) => (await harness.rows()).emails.map(({ template }) => template);

describe("a plan that was cancelled", () => {
  test.each([
    ["in the dashboard, by the end of its period", { cancels: "yes" }],
    ["in the dashboard, by a day before that", { cancels: "yes", inDays: 9 }],
    ["in the dashboard, by a day long after that", { cancels: "yes", inDays: 200 }],
  ])("%s continues when its owner keeps it, and the next period is charged", async (_when, order) => {
    const { harness, id } = await aSubscriber();
    await harness.control("cancel", { subscription: id, ...order });
    await harness.reconcile();
    const { cancel_at, cancel_at_period_end } = await harness.stripe.subscriptions.retrieve(id);
    expect([cancel_at_period_end, (await row(harness))?.cancels_at]).toEqual([false, Number(cancel_at) * 1000]);
    expect(await runSubscriptionAction(harness.app, await harness.account(), "resume")).toEqual({
      ok: true,
      value: "plan-resumed",
    });
    expect(await harness.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: null, status: "active" });
    expect((await row(harness))?.cancels_at).toBeNull();
    expect(await templates(harness)).toContain("cancellation-undone");
    await harness.pass(32);
    await harness.reconcile();
    expect((await harness.rows()).orders.map(({ kind, state }) => [kind, state])).toEqual([
      ["new-plan", "paid"],
      ["renewal", "paid"],
    ]);
  });

  test("on this site continues when its owner keeps it", async () => {
    const { harness, id } = await aSubscriber();
    await runSubscriptionAction(harness.app, await harness.account(), "cancel");
    expect(await harness.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: true });
    expect(await runSubscriptionAction(harness.app, await harness.account(), "resume")).toEqual({
      ok: true,
      value: "plan-resumed",
    });
    expect(await harness.stripe.subscriptions.retrieve(id)).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    });
  });

  test("stays cancelled here, without another email, while the provider says that it ends", async () => {
    const { harness, id } = await aSubscriber();
    await harness.control("cancel", { subscription: id, cancels: "yes" });
    await harness.reconcile();
    const endsAt = Number((await row(harness))?.cancels_at);
    const payments = { ...harness.payments, changeCancellation: async () => done(endsAt) };
    const result = await changeCancellation({ ...harness.app, payments }, await harness.account(), "resume");
    expect(result).toMatchObject({ ok: false, refusal: { reason: "provider-refused" } });
    expect((await row(harness))?.cancels_at).toBe(endsAt);
    expect(await templates(harness)).not.toContain("cancellation-undone");
  });

  test("continues here, without another email, while the provider says that it renews", async () => {
    const { harness } = await aSubscriber();
    const payments = { ...harness.payments, changeCancellation: async () => done(null) };
    const ended = await changeCancellation({ ...harness.app, payments }, await harness.account(), "cancel");
    expect(ended).toMatchObject({ ok: false, refusal: { reason: "provider-refused" } });
    expect((await row(harness))?.cancels_at).toBeNull();
    expect(await templates(harness)).not.toContain("plan-cancelled");
  });

  test("with a last day after its period is charged until then, and shows that", async () => {
    const { harness, id } = await aSubscriber();
    await harness.control("cancel", { subscription: id, cancels: "yes", inDays: 100 });
    await harness.reconcile();
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("Nothing runs");
    expect(nextCharge(running, () => 0, 0)).toMatchObject({
      amountMinor: running.amountMinor,
      at: chargedAt(running.periodEndsAt),
    });
    await harness.pass(32);
    await harness.reconcile();
    expect((await harness.rows()).orders.at(-1)).toMatchObject({ kind: "renewal", state: "paid" });
    await harness.pass(69);
    await harness.reconcile();
    expect(await row(harness)).toMatchObject({ state: "ended" });
    expect(Math.abs(Number((await row(harness))?.ended_at) - Number(running.cancelsAt))).toBeLessThan(dayMs);
  });
});
