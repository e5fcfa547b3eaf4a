import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { browseOrders } from "#app/modules/order-history/reads/browse-orders.server.ts";
import { addRefunds } from "#app/modules/order-history/reads/list-withdrawals.server.ts";
import { large, minor, small } from "#tests/support/catalogue.ts";
import {
  change,
  conclude,
  contracts,
  declarations,
  declare,
  giveBack,
  orders,
  standing,
  sum,
} from "#tests/support/contracts.ts";
import type { Till } from "#tests/support/till.ts";

/** Money of an order that goes back once the next period has been paid: fourteen days to declare, and fourteen to refund. */
beforeEach(async () => {
  await env.DB.exec("delete from withdrawals");
});

/** A month, the larger plan for its last days, and the renewal of that. The change can be withdrawn from. */
async function renewed(): Promise<Till> {
  const till = await conclude(contracts["a purchase"]);
  await till.pass(26);
  expect(await change(till, { planId: large.id, interval: "month" })).toMatchObject({ ok: true });
  await till.settle();
  return till;
}

async function renew(till: Till, count = 3) {
  await till.pass(6);
  await till.settle();
  expect(await orders(till)).toHaveLength(count);
}

const detailOf = async (till: Till, orderId: string) =>
  (await browseOrders(till.app, till.accountId, { year: null, state: null, after: null, orderId })).detail?.withdrawal;

describe("a withdrawal that was declared in time", () => {
  test.each(["change", "renewal"])(
    "from a change, refunded by its %s after the renewal: the plan ends, and all since goes back",
    async (refunded) => {
      const till = await renewed();
      const [, changed] = await orders(till);
      await declare(till, changed?.id ?? "");
      await renew(till);
      const [, , renewal] = await orders(till);
      await till.control("refund", { order: { change: changed, renewal }[refunded]?.id });
      const after = await standing(till);
      expect(after).toMatchObject({ plan: "ended", rows: [{}, { state: "refunded" }, { state: "refunded" }] });
      // What was used of the month before the change.
      expect(after.keptMinor).toBeGreaterThan(0);
      expect(after.keptMinor).toBeLessThanOrEqual(minor(small));
      expect(await declarations()).toEqual(["refunded"]);
    },
  );

  test("from a month, refunded after it: nothing is kept", async () => {
    const till = await conclude(contracts["a purchase"]);
    await till.pass(13);
    const [first] = await orders(till);
    await declare(till, first?.id ?? "");
    await till.pass(13);
    await renew(till, 2);
    await till.control("refund", { order: first?.id });
    expect(await standing(till)).toMatchObject({ plan: "ended", keptMinor: 0 });
    expect(await declarations()).toEqual(["refunded"]);
  });

  test("and wasn't accepted: a refund of the month before is for that month alone", async () => {
    const till = await conclude(contracts["a purchase"]);
    const [first] = await orders(till);
    await declare(till, first?.id ?? "");
    await env.DB.exec("update withdrawals set state = 'contested', closed_at = 1, contest_reason = 'x'");
    await till.pass(26);
    await renew(till, 2);
    await till.control("refund", { order: first?.id });
    expect(await standing(till)).toMatchObject({ plan: "runs", keptMinor: minor(small) });
  });

  test.each(["change", "renewal"])(
    "is shown to its owner and to operators with the renewal, by the %s",
    async (named) => {
      const till = await renewed();
      await renew(till);
      const [, changed, renewal] = await orders(till);
      const offered = await detailOf(till, changed?.id ?? "");
      expect(offered?.offer?.orders).toHaveLength(3);
      const sentMinor = sum((offered?.offer?.orders ?? []).slice(1).map(({ backMinor }) => backMinor));
      expect(sentMinor).toBe((changed?.paidMinor ?? 0) + (renewal?.paidMinor ?? 0));
      expect((await detailOf(till, renewal?.id ?? ""))?.offer).toEqual(offered?.offer);
      await declare(till, named === "renewal" ? (renewal?.id ?? "") : (changed?.id ?? ""));
      for (const { id } of (await orders(till)).slice(1))
        expect((await detailOf(till, id))?.declared).toMatchObject({ state: "declared" });
      const found = [
        {
          orderId: (named === "renewal" ? renewal?.id : changed?.id) ?? "",
          declaredAt: till.app.clock(),
          state: "declared",
        },
      ];
      expect(await addRefunds(till.app, found)).toMatchObject([{ owedMinor: offered?.offer?.totalMinor }]);
      await giveBack(till, changed?.id ?? "", "operator");
      const after = await standing(till);
      expect(after.paidMinor - after.keptMinor).toBe(offered?.offer?.totalMinor);
    },
  );
});

test("what a bank took of the renewal doesn't keep the rest from going back once an operator refunds another order", async () => {
  const till = await renewed();
  const [, changed] = await orders(till);
  await declare(till, changed?.id ?? "");
  await renew(till);
  const [first, , renewal] = await orders(till);
  await giveBack(till, renewal?.id ?? "", "dispute-lost");
  expect((await standing(till)).plan).toBe("ended");
  expect(await declarations()).toEqual(["declared"]);
  await giveBack(till, first?.id ?? "", "operator");
  expect(await standing(till)).toMatchObject({ rows: [{ state: "refunded" }, { state: "refunded" }, {}] });
});

describe("without a withdrawal", () => {
  test.each(["operator", "dispute-lost"] as const)(
    "a period that is over and went back by %s changes nothing of the one that runs",
    async (by) => {
      const till = await renewed();
      await renew(till);
      const before = await standing(till);
      const [, changed] = await orders(till);
      await giveBack(till, changed?.id ?? "", by);
      const after = await standing(till);
      expect(after.plan).toBe("runs");
      expect(before.keptMinor - after.keptMinor).toBe(by === "operator" ? changed?.paidMinor : 0);
    },
  );

  test("a refund that the site heard of after the renewal ends the plan as it would have then", async () => {
    const till = await conclude(contracts["a purchase"]);
    await till.pass(26);
    const [first] = await orders(till);
    await till.control("refund", { order: first?.id });
    await till.pass(6);
    const after = await standing(till);
    expect(after).toMatchObject({ plan: "ended", keptMinor: 0, paidMinor: 2 * minor(small) });
  });
});
