import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { noOrder, type OrderId } from "#app/core/id.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayOf, startOfDay } from "#app/core/time/calendar.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { findWithdrawable } from "#app/modules/billing/orders/queries.server.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { earliestWithdrawable, longestWithdrawal } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { idOf } from "#tests/support/ids.ts";
import { change, contractTotals, declarations, orders } from "#tests/support/billing/contracts.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";

beforeEach(async () => {
  await env.DB.exec("delete from withdrawals");
});

test("what a bank took in part can still be withdrawn from, and the plan's page says so as the order's does", async () => {
  const harness = await openBillingHarness();
  const order = await harness.buy();
  await harness.reconcile();
  await harness.control("dispute", { order, outcome: "lost", amountMinor: 100 });
  await harness.reconcile();
  const offer = (await detailOf(harness, idOf("ord", order)))?.offer;
  expect(offer?.totalMinor).toBe(minor(small) - 100);
  const { withdrawable } = await showPlan(harness.app, harness.accountId);
  expect(withdrawable).toMatchObject({ orderId: order, until: offer?.until });
});

const detailOf = async (harness: BillingHarness, orderId: OrderId) =>
  (await showOrder(harness.app, harness.accountId, orderId))?.withdrawal;

describe("for a customer in Los Angeles, on the evening of the last day, which is over in Berlin", () => {
  const berlin = "Europe/Berlin";
  const losAngeles = "America/Los_Angeles";
  const email = parseEmailAddress("elsewhere@example.com");

  /** With `changes`, to a larger plan three days later. */
  async function bought(timeZone: string, { changes = false } = {}) {
    const harness = await openBillingHarness();
    await moveTo(harness, timeZone);
    // In the morning in Berlin, before the day begins in Los Angeles.
    const { day, ...month } = dayOf(harness.app.clock(), berlin);
    await harness.pass((startOfDay({ ...month, day: day + 1 }, berlin) + 3 * hourMs - harness.app.clock()) / dayMs);
    const paidOn = dayOf(harness.app.clock(), berlin);
    await harness.buy(small.id, "month");
    await harness.reconcile();
    const [order] = await orders(harness);
    if (changes) {
      await harness.pass(3);
      expect(await change(harness, { planId: large.id, interval: "month" })).toMatchObject({ ok: true });
      await harness.reconcile();
    }
    const lastDay = { ...paidOn, day: paidOn.day + 14 };
    const evening = startOfDay({ ...lastDay, day: lastDay.day + 1 }, losAngeles) - 7 * hourMs;
    expect(evening).toBeGreaterThan(startOfDay({ ...lastDay, day: lastDay.day + 1 }, berlin));
    await harness.pass((evening - harness.app.clock()) / dayMs);
    return { harness, id: order?.id ?? noOrder };
  }

  async function moveTo(harness: BillingHarness, timeZone: string) {
    await env.DB.prepare("update accounts set time_zone = ? where id = ?").bind(timeZone, harness.accountId).run();
  }

  test.each([
    ["the order is withdrawn from", losAngeles, losAngeles],
    ["the order is withdrawn from after a move to Berlin", losAngeles, berlin],
    ["the order is withdrawn from after a move there", berlin, losAngeles],
  ])("%s, and all is refunded wherever they move", async (_, then, now) => {
    const { harness, id } = await bought(then);
    await moveTo(harness, now);
    const { product: seller } = harness.app;
    expect((await detailOf(harness, id))?.offer).toMatchObject({ totalMinor: minor(small) });
    const since = earliestWithdrawable(seller, harness.app.clock());
    const rows = await findWithdrawable(harness.app.db, harness.accountId, since);
    expect(longestWithdrawal(rows, seller, harness.app.clock())).toMatchObject({ orderId: id });
    if (!email) throw new Error("Not an address");
    await declareWithdrawal(
      harness.app,
      { name: "Mara", order: id, email: email },
      { ip: "2001:db8:9::1", accountId: harness.accountId, isOwn: false },
    );
    await moveTo(harness, berlin);
    await harness.pass(1);
    await harness.control("refund", { order: id });
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
    expect(await declarations()).toEqual(["refunded"]);
  });

  test("the order is withdrawn from after a plan change and a move there, and all that both paid is refunded", async () => {
    const { harness } = await bought(berlin, { changes: true });
    await moveTo(harness, losAngeles);
    const newest = (await orders(harness)).at(-1)?.id ?? noOrder;
    if (!email) throw new Error("Not an address");
    await declareWithdrawal(
      harness.app,
      { name: "Mara", order: newest, email },
      { ip: "2001:db8:9::1", accountId: harness.accountId, isOwn: false },
    );
    await moveTo(harness, berlin);
    await harness.pass(1);
    await harness.control("refund", { order: newest });
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
  });

  test("nobody who stayed in Berlin can withdraw", async () => {
    const { harness, id } = await bought(berlin);
    expect((await detailOf(harness, id))?.offer).toBeNull();
  });
});
