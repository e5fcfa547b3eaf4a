import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { done } from "#app/core/result.ts";
import { movePlan } from "#app/modules/plan-changes/commands/move-plan.server.ts";
import { changeCancellation } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { nextCharge } from "#app/modules/subscriptions/rules.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { openTill, type Till } from "#tests/support/till.ts";

async function aSubscriber() {
  const till = await openTill();
  await till.buy();
  await till.settle();
  const [plan] = (await till.stripe.subscriptions.list()).data;
  if (!plan) throw new Error("Nothing runs");
  return { till, id: plan.id };
}

const row = async (till: Till) => (await till.rows()).subscriptions[0];
const told = async (till: Till) => (await till.rows()).mails.map(({ template }) => template);

describe("a plan that was cancelled", () => {
  test.each([
    ["in the dashboard, by the end of its period", { cancels: "yes" }],
    ["in the dashboard, by a day before that", { cancels: "yes", inDays: 9 }],
    ["in the dashboard, by a day long after that", { cancels: "yes", inDays: 200 }],
  ])("%s goes on when its owner keeps it, and the next period is charged", async (_when, order) => {
    const { till, id } = await aSubscriber();
    await till.control("cancel", { subscription: id, ...order });
    await till.settle();
    const { cancel_at, cancel_at_period_end } = await till.stripe.subscriptions.retrieve(id);
    expect([cancel_at_period_end, (await row(till))?.cancels_at]).toEqual([false, Number(cancel_at) * 1000]);
    expect(await movePlan(till.app, await till.account(), "resume")).toEqual({ ok: true, value: "plan-resumed" });
    expect(await till.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: null, status: "active" });
    expect((await row(till))?.cancels_at).toBeNull();
    expect(await told(till)).toContain("cancellation-undone");
    await till.pass(32);
    await till.settle();
    expect((await till.rows()).orders.map(({ kind, state }) => [kind, state])).toEqual([
      ["new-plan", "paid"],
      ["renewal", "paid"],
    ]);
  });

  test("on this site goes on when its owner keeps it", async () => {
    const { till, id } = await aSubscriber();
    await movePlan(till.app, await till.account(), "cancel");
    expect(await till.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: true });
    expect(await movePlan(till.app, await till.account(), "resume")).toEqual({ ok: true, value: "plan-resumed" });
    expect(await till.stripe.subscriptions.retrieve(id)).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    });
  });

  test("stays cancelled here, and nobody is told otherwise, while the provider says that it ends", async () => {
    const { till, id } = await aSubscriber();
    await till.control("cancel", { subscription: id, cancels: "yes" });
    await till.settle();
    const endsAt = Number((await row(till))?.cancels_at);
    const payments = { ...till.payments, changeCancellation: async () => done(endsAt) };
    const kept = await changeCancellation({ ...till.app, payments }, await till.account(), "resume");
    expect(kept).toMatchObject({ ok: false, refusal: { reason: "provider-refused" } });
    expect((await row(till))?.cancels_at).toBe(endsAt);
    expect(await told(till)).not.toContain("cancellation-undone");
  });

  test("goes on here, and nobody is told otherwise, while the provider says that it renews", async () => {
    const { till } = await aSubscriber();
    const payments = { ...till.payments, changeCancellation: async () => done(null) };
    const ended = await changeCancellation({ ...till.app, payments }, await till.account(), "cancel");
    expect(ended).toMatchObject({ ok: false, refusal: { reason: "provider-refused" } });
    expect((await row(till))?.cancels_at).toBeNull();
    expect(await told(till)).not.toContain("plan-cancelled");
  });

  test("by a day after its period is charged until then, and says so", async () => {
    const { till, id } = await aSubscriber();
    await till.control("cancel", { subscription: id, cancels: "yes", inDays: 100 });
    await till.settle();
    const running = await findRunningSubscription(till.app.db, till.accountId);
    if (!running) throw new Error("Nothing runs");
    expect(nextCharge(running, () => 0, 0)).toMatchObject({
      amountMinor: running.amountMinor,
      at: running.periodEndsAt,
    });
    await till.pass(32);
    await till.settle();
    expect((await till.rows()).orders.at(-1)).toMatchObject({ kind: "renewal", state: "paid" });
    await till.pass(69);
    await till.settle();
    expect(await row(till)).toMatchObject({ state: "ended" });
    expect(Math.abs(Number((await row(till))?.ended_at) - Number(running.cancelsAt))).toBeLessThan(dayMs);
  });
});
