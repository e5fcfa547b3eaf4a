import { expect, test } from "vitest";
import { noOrder } from "#app/core/id.ts";
import { product } from "#app/product/config.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { addPurchase } from "#app/modules/billing/checkout/purchases.queries.server.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import { orders } from "#tests/support/billing/contracts.ts";

async function disputed(duringDispute: "continue" | "pause") {
  const harness = await openBillingHarness({ ...product, duringDispute });
  await harness.buy(small.id, "month");
  await harness.reconcile();
  // Shortly before the renewal: the bank decides by itself if nobody answers for weeks.
  await harness.pass(27);
  await harness.reconcile();
  const [order] = await orders(harness);
  const dispute = async (outcome?: "won" | "lost") => {
    await harness.control("dispute", { order: order?.id ?? noOrder, ...(outcome && { outcome }) });
    await harness.reconcile();
    await harness.app.settled();
  };
  const plan = async () => runningSubscription(await listSubscriptions(harness.app.db, harness.accountId));
  /** Until after the plan would renew. */
  const renew = async (days: number) => {
    await harness.pass(days);
    await harness.reconcile();
    return (await harness.record()).charges.filter(({ paidBy }) => paidBy !== null).length;
  };
  return { harness, dispute, plan, renew };
}

test("goes on, charged and with access, if the config says so", async () => {
  const { dispute, plan, renew } = await disputed("continue");
  await dispute();
  expect(await plan()).toMatchObject({ state: "active", pauseCause: null, collection: "automatic" });
  expect(await renew(5)).toBe(2);
});

test("is locked and not charged while the bank decides, and continues when it decides for the seller", async () => {
  const { harness, dispute, plan, renew } = await disputed("pause");
  await dispute();
  expect(await plan()).toMatchObject({ state: "paused", pauseCause: "disputed", collection: "automatic" });
  expect(harness.app.emails.map(({ subject }) => subject).join()).toContain("paused");
  expect(await renew(5)).toBe(1);
  expect(await plan()).toMatchObject({ state: "paused", pauseCause: "disputed" });
  await dispute("won");
  expect(await plan()).toMatchObject({ state: "active", pauseCause: null, collection: "automatic" });
  // It is charged again with the next period.
  expect(await renew(31)).toBe(2);
  expect(await plan()).toMatchObject({ state: "active" });
});

test("ends when the bank decides for its customer", async () => {
  const { dispute, plan } = await disputed("pause");
  await dispute();
  await dispute("lost");
  expect(await plan()).toBeNull();
});

test("of the team's own hold stays on hold, and is locked meanwhile", async () => {
  const { harness, dispute, plan } = await disputed("pause");
  const id = (await plan())?.id ?? "";
  await harness.stripe.subscriptions.update(id, { pause_collection: { behavior: "keep_as_draft" } });
  await dispute();
  expect(await plan()).toMatchObject({ state: "paused", collection: "on-hold" });
  await dispute("won");
  expect(await plan()).toMatchObject({ state: "active", collection: "on-hold" });
});

test("isn't replaced by another plan before the bank has decided", async () => {
  const { harness, dispute, plan } = await disputed("pause");
  await dispute();
  const refusal = { reason: "plan-disputed" };
  expect(await harness.choose(large.id)).toEqual({ ok: false, refusal });
  const offered = async () =>
    (
      await offerPlan(harness.app, harness.accountId, await findBuyer(harness.app, harness.accountId), {
        planId: large.id,
        interval: "month",
      })
    ).offer;
  expect(await offered()).toEqual({ kind: "refused", refusal });
  // Nor by a click that was on its way when the dispute began.
  const [row] = (await harness.rows()).orders;
  expect((await harness.rows()).orders).toHaveLength(1);
  await harness.app.db.batch(
    addPurchase(harness.app.db, {
      id: noOrder,
      accountId: harness.accountId,
      planId: large.id,
      interval: "month",
      currency: String(row?.["currency"]),
      amountMinor: 1,
      creditMinor: 0,
      now: 0,
      expiresAt: 1,
    }),
  );
  expect((await harness.rows()).orders).toHaveLength(1);
  await dispute("lost");
  expect(await plan()).toBeNull();
  expect(await harness.choose(large.id)).toMatchObject({ ok: true });
});
