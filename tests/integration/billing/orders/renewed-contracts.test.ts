import { idOf } from "#tests/support/ids.ts";
import { type OrderId, noOrder } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { earliestWithdrawable } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { listOpenContract } from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import { product } from "#app/product/config.ts";
import { addRefunds } from "#app/modules/billing/history/reads/add-refunds.server.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import {
  change,
  conclude,
  contracts,
  declarations,
  declare,
  giveBack,
  orders,
  contractTotals,
  sum,
} from "#tests/support/billing/contracts.ts";
import type { BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** An order that is refunded once the next period has been paid: fourteen days to declare, and fourteen to refund. */
beforeEach(async () => {
  await env.DB.exec("delete from withdrawals");
});

/** A month, the larger plan for its last days, and the renewal of that. The change can be withdrawn from. */
async function renewed(): Promise<BillingHarness> {
  const harness = await conclude(contracts["a purchase"]);
  await harness.pass(26);
  expect(await change(harness, { planId: large.id, interval: "month" })).toMatchObject({ ok: true });
  await harness.reconcile();
  return harness;
}

async function renew(harness: BillingHarness, count = 3) {
  await harness.pass(6);
  await harness.reconcile();
  expect(await orders(harness)).toHaveLength(count);
}

const detailOf = async (harness: BillingHarness, orderId: OrderId) =>
  (await showOrder(harness.app, harness.accountId, orderId))?.withdrawal;

describe("a withdrawal that was declared in time", () => {
  test.each(["change", "renewal"])(
    "from a change, refunded by its %s after the renewal, ends the plan and refunds everything since",
    async (refunded) => {
      const harness = await renewed();
      const [, changed] = await orders(harness);
      await declare(harness, changed?.id ?? noOrder);
      await renew(harness);
      const [, , renewal] = await orders(harness);
      await harness.control("refund", { order: { change: changed, renewal }[refunded]?.id });
      const after = await contractTotals(harness);
      expect(after).toMatchObject({ plan: "ended", rows: [{}, { state: "refunded" }, { state: "refunded" }] });
      // What was used of the month before the change.
      expect(after.retainedMinor).toBeGreaterThan(0);
      expect(after.retainedMinor).toBeLessThanOrEqual(minor(small));
      expect(await declarations()).toEqual(["refunded"]);
    },
  );

  test("from a month, refunded after it, keeps nothing", async () => {
    const harness = await conclude(contracts["a purchase"]);
    await harness.pass(13);
    const [first] = await orders(harness);
    await declare(harness, first?.id ?? noOrder);
    await harness.pass(13);
    await renew(harness, 2);
    await harness.control("refund", { order: first?.id });
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
    expect(await declarations()).toEqual(["refunded"]);
  });

  test("and wasn't accepted limits a refund of the month before to that month", async () => {
    const harness = await conclude(contracts["a purchase"]);
    const [first] = await orders(harness);
    await declare(harness, first?.id ?? noOrder);
    await env.DB.exec("update withdrawals set state = 'contested', closed_at = 1, contest_reason = 'x'");
    await harness.pass(26);
    await renew(harness, 2);
    await harness.control("refund", { order: first?.id });
    expect(await contractTotals(harness)).toMatchObject({ plan: "runs", retainedMinor: minor(small) });
  });

  test("is still shown with each order of its contract once nothing can be withdrawn from", async () => {
    const harness = await renewed();
    const [, changed] = await orders(harness);
    await declare(harness, changed?.id ?? noOrder);
    await renew(harness);
    await harness.pass(15);
    const shown = (await orders(harness)).map(({ id }) => detailOf(harness, idOf("ord", id)));
    expect(await Promise.all(shown)).toMatchObject(
      Array.from({ length: 3 }, () => ({ declared: { orderId: changed?.id }, offer: null })),
    );
  });

  test.each(["change", "renewal"])(
    "is shown to its owner and to operators with the renewal, by the %s",
    async (named) => {
      const harness = await renewed();
      await renew(harness);
      const [, changed, renewal] = await orders(harness);
      const offered = await detailOf(harness, changed?.id ?? noOrder);
      expect(offered?.offer?.orders).toHaveLength(3);
      const sentMinor = sum((offered?.offer?.orders ?? []).slice(1).map(({ backMinor }) => backMinor));
      expect(sentMinor).toBe((changed?.paidMinor ?? 0) + (renewal?.paidMinor ?? 0));
      expect((await detailOf(harness, renewal?.id ?? noOrder))?.offer).toEqual(offered?.offer);
      await declare(harness, (named === "renewal" ? renewal : changed)?.id ?? noOrder);
      for (const { id } of (await orders(harness)).slice(1))
        expect((await detailOf(harness, idOf("ord", id)))?.declared).toMatchObject({ state: "declared" });
      const found = [
        {
          orderId: idOf("ord", named === "renewal" ? renewal?.id : changed?.id),
          declaredAt: harness.app.clock(),
          state: "declared" as const,
        },
      ];
      expect(await addRefunds(harness.app, found)).toMatchObject([{ owedMinor: offered?.offer?.totalMinor }]);
      await giveBack(harness, changed?.id ?? noOrder, "operator");
      const after = await contractTotals(harness);
      expect(after.paidMinor - after.retainedMinor).toBe(offered?.offer?.totalMinor);
    },
  );
});

test("a contract is read for the page of an order only while it can be withdrawn from", async () => {
  const harness = await conclude(contracts["a purchase"]);
  const [order] = await orders(harness);
  const read = () => {
    const since = earliestWithdrawable(product, harness.app.clock());
    return listOpenContract(harness.app.db, idOf("ord", order?.id), harness.accountId, since);
  };
  expect(await read()).toMatchObject([{ id: order?.id }]);
  await harness.pass(17);
  expect(await read()).toEqual([]);
  // A renewal gives no right of withdrawal.
  await harness.pass(14);
  await renew(harness, 2);
  expect(await read()).toEqual([]);
});

test("the part of the renewal that a bank took doesn't prevent the refund of the rest once an operator refunds another order", async () => {
  const harness = await renewed();
  const [, changed] = await orders(harness);
  await declare(harness, changed?.id ?? noOrder);
  await renew(harness);
  const [first, , renewal] = await orders(harness);
  await giveBack(harness, renewal?.id ?? noOrder, "dispute-lost");
  expect((await contractTotals(harness)).plan).toBe("ended");
  expect(await declarations()).toEqual(["declared"]);
  await giveBack(harness, first?.id ?? noOrder, "operator");
  expect(await contractTotals(harness)).toMatchObject({ rows: [{ state: "refunded" }, { state: "refunded" }, {}] });
});

describe("a withdrawal that is declared after an operator's refund of an order", () => {
  /**
   * The month was refunded in full on the third day, without a declaration: the unused part of the change was
   * refunded with it.
   */
  async function refunded() {
    const harness = await conclude(contracts["a change to the larger plan"]);
    await harness.pass(3);
    const [first, changed] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "operator");
    return {
      harness,
      first: first?.id ?? noOrder,
      changed: changed?.id ?? noOrder,
      before: await contractTotals(harness),
    };
  }

  test.each(["first", "changed"] as const)(
    "refunds nothing automatically, stays open until the rest is refunded, and is then completed, for the %s",
    async (named) => {
      const { harness, before, ...ids } = await refunded();
      expect(before).toMatchObject({ plan: "ended", rows: [{ state: "refunded" }, { state: "partially-refunded" }] });
      expect(before.retainedMinor).toBeGreaterThan(0);
      await harness.pass(1);
      await declare(harness, idOf("ord", ids[named]));
      expect(await contractTotals(harness)).toEqual(before);
      expect(await declarations()).toEqual(["declared"]);
      const found = [{ orderId: idOf("ord", ids[named]), declaredAt: harness.app.clock(), state: "declared" as const }];
      expect(await addRefunds(harness.app, found)).toMatchObject([{ owedMinor: before.retainedMinor }]);
      await giveBack(harness, idOf("ord", ids.changed), "operator");
      expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
      expect(await declarations()).toEqual(["refunded"]);
    },
  );

  test("isn't completed by a refund of a part of the rest", async () => {
    const { harness, first, changed, before } = await refunded();
    await harness.pass(1);
    await declare(harness, idOf("ord", first));
    await giveBack(harness, idOf("ord", changed), "operator", 1);
    expect((await contractTotals(harness)).retainedMinor).toBe(before.retainedMinor - 1);
    expect(await declarations()).toEqual(["declared"]);
  });
});

test("operators are advised to refund the newest order in full, since a refund of the older one, with a smaller amount shown, would be too much", async () => {
  const harness = await conclude(contracts["a change to a year"], 20);
  const [first, changed] = await orders(harness);
  await declare(harness, first?.id ?? noOrder);
  const numbers = (await harness.rows()).orders.map(({ id, number_year: year, number_in_year: inYear }) => ({
    id,
    number: orderNumber({ numberYear: Number(year), numberInYear: Number(inYear) }),
  }));
  const found = [{ orderId: idOf("ord", first?.id), declaredAt: harness.app.clock(), state: "declared" as const }];
  const [shown] = await addRefunds(harness.app, found);
  expect(shown?.owedMinor).toBeLessThan((first?.paidMinor ?? 0) + (changed?.paidMinor ?? 0));
  expect(shown?.refundOrder).toBe(numbers.find(({ id }) => id === changed?.id)?.number);
  await giveBack(harness, changed?.id ?? noOrder, "operator");
  const { paidMinor, retainedMinor } = await contractTotals(harness);
  expect(paidMinor - retainedMinor).toBe(shown?.owedMinor);
});

test.each(["withdrawal", "operator"] as const)(
  "a plan that is bought after another was refunded by %s is a contract of its own, on the pages of both",
  async (by) => {
    const harness = await conclude(contracts["a purchase"]);
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, by);
    expect((await contractTotals(harness)).plan).toBe("ended");
    await harness.pass(1);
    await harness.buy(large.id, "month");
    await harness.reconcile();
    const [, second] = await orders(harness);
    const bought = await detailOf(harness, second?.id ?? noOrder);
    expect(bought?.declared).toBeNull();
    expect(bought?.offer?.orders.map(({ id }) => id)).toEqual([second?.id]);
    const returned = await detailOf(harness, first?.id ?? noOrder);
    expect(returned?.declared?.state).toBe(by === "withdrawal" ? "refunded" : undefined);
    expect(returned?.offer).toBeNull();
  },
);

describe("a dispute that is decided long after it was opened", () => {
  /** The plan runs until the bank decides: `days` later. */
  async function lose(harness: BillingHarness, orderId: OrderId, days: number) {
    await harness.control("dispute", { order: orderId });
    const { data: disputes } = await harness.stripe.disputes.list();
    // Without evidence the bank decides a week later.
    await harness.stripe.disputes.update(disputes[0]?.id ?? "", {
      evidence: { uncategorized_text: "Used" },
      submit: true,
    });
    await harness.reconcile();
    await harness.pass(days);
    expect((await contractTotals(harness)).plan).toBe("runs");
    await harness.control("dispute", { order: orderId, outcome: "lost" });
    return contractTotals(harness);
  }

  test("doesn't affect the renewals that were paid meanwhile, since it is about a past period", async () => {
    const harness = await conclude(contracts["a purchase"]);
    await harness.pass(20);
    const [first] = await orders(harness);
    const after = await lose(harness, first?.id ?? noOrder, 70);
    expect(after.rows).toHaveLength(3);
    expect(after).toMatchObject({ plan: "runs", retainedMinor: after.paidMinor });
  });

  test("and concerns the running contract refunds what was unused at that time", async () => {
    const harness = await conclude(contracts["a change to a year"]);
    const [first, changed] = await orders(harness);
    const yearMinor = (first?.paidMinor ?? 0) + (changed?.paidMinor ?? 0);
    await harness.pass(2);
    const after = await lose(harness, first?.id ?? noOrder, 70);
    expect(after.plan).toBe("ended");
    const used = 72 / 365;
    // The bank took the month's price, which isn't among the refunds.
    const retainedMinor = after.retainedMinor - (first?.paidMinor ?? 0);
    expect(retainedMinor / yearMinor).toBeCloseTo(used, 2);
    expect(await contractTotals(harness)).toEqual(after);
  });
});

describe("without a withdrawal", () => {
  test.each(["operator", "dispute-lost"] as const)(
    "a refund of a past period by %s doesn't affect the current one",
    async (by) => {
      const harness = await renewed();
      await renew(harness);
      const before = await contractTotals(harness);
      const [, changed] = await orders(harness);
      await giveBack(harness, changed?.id ?? noOrder, by);
      const after = await contractTotals(harness);
      expect(after.plan).toBe("runs");
      expect(before.retainedMinor - after.retainedMinor).toBe(by === "operator" ? changed?.paidMinor : 0);
    },
  );

  test("a refund that is found after the renewal ends the plan as it would have before", async () => {
    const harness = await conclude(contracts["a purchase"]);
    await harness.pass(26);
    const [first] = await orders(harness);
    await harness.control("refund", { order: first?.id });
    await harness.pass(6);
    const after = await contractTotals(harness);
    expect(after).toMatchObject({ plan: "ended", retainedMinor: 0, paidMinor: 2 * minor(small) });
  });
});
