import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportMovements } from "#app/modules/operators/reads/export-movements.server.ts";
import { readMetrics } from "#app/modules/operators/reads/read-metrics.server.ts";
import { writeOrdersCsv } from "#app/modules/order-history/reads/write-orders-csv.server.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";

const thisYear = new Date().getUTCFullYear();
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

async function movementsOf({ app }: BillingHarness, year: number, after?: string) {
  const exported = await exportMovements(app, { year, after });
  if (!exported.ok) throw new Error(exported.refusal.reason);
  return exported.value.movements;
}

/** What the customer's own file says is left of everything paid. */
async function leftOnPages({ app, accountId }: BillingHarness): Promise<number> {
  const file = await new Response(await writeOrdersCsv(app, accountId, { year: null, state: null }, "comma")).text();
  const [head = "", ...rows] = file.trim().split("\r\n");
  const names = head.replace("\uFEFF", "").split(",");
  const paid = rows.map((row) => row.split(",")).filter((cells) => cells[names.indexOf("paid_at")] !== "");
  return sum(paid.map((cells) => Number(cells[names.indexOf("left_minor")])));
}

type Deed = { what: "renewal" | "refund" | "dispute"; part: number };
const deeds = fc.array(
  fc.record({ what: fc.constantFrom<Deed["what"]>("renewal", "renewal", "refund", "dispute"), part: fc.nat(99) }),
  { minLength: 3, maxLength: 6 },
);

async function carryOut(harness: BillingHarness, { what, part }: Deed): Promise<void> {
  if (what === "renewal") await harness.pass(31);
  await harness.reconcile();
  const open = (await harness.rows()).orders.find(({ state, dispute }) => state === "paid" && dispute === "none");
  if (what === "renewal" || !open) return;
  const order = String(open["id"]);
  if (what === "refund")
    await harness.control("refund", { order, amountMinor: Math.max(1, Math.floor((minor(small) * part) / 100)) });
  else await harness.control("dispute", { order, outcome: part < 50 ? "won" : "lost" });
  await harness.reconcile();
}

describe("the movements of all years", () => {
  test("add up to what customers' own pages say is left, whatever was refunded or lost", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (list) => {
        const harness = await openBillingHarness();
        await harness.buy();
        for (const deed of list) await carryOut(harness, deed);
        const years = await Promise.all([0, 1].map((later) => movementsOf(harness, thisYear + later)));
        const moved = years.flat();
        expect(sum(moved.map(({ moneyMinor }) => moneyMinor))).toBe(await leftOnPages(harness));
        for (const { netMinor, taxMinor, totalMinor } of moved) expect(netMinor + taxMinor).toBe(totalMinor);
      }),
      { numRuns: 4 },
    );
  }, 240_000);
});

test("each amount counts in the month in which it moved, and a lost dispute apart from refunds", async () => {
  const harness = await openBillingHarness();
  const order = await harness.buy();
  await harness.reconcile();
  await harness.pass(32);
  await harness.reconcile();
  await harness.control("refund", { order, amountMinor: 100 });
  const renewal = (await harness.rows()).orders.find(({ kind }) => kind === "renewal");
  await harness.control("dispute", { order: renewal?.["id"], outcome: "lost" });
  await harness.reconcile();
  const { revenue, monthly } = await readMetrics(harness.app);
  const [bought, later] = revenue.slice(-2);
  expect(bought).toMatchObject({ orders: 1, paidMinor: minor(small), refundedMinor: 0, disputedMinor: 0 });
  expect(later).toMatchObject({ orders: 1, paidMinor: minor(small), disputedMinor: minor(small) });
  expect(later?.refundedMinor).toBeGreaterThanOrEqual(100);
  expect(monthly).toEqual([]);
});

test("a trial that the team gave at Stripe is no revenue until it is paid", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const revenueNow = async () => (await readMetrics(harness.app)).monthly.map(({ amountMinor }) => amountMinor);
  expect(await revenueNow()).toEqual([minor(small)]);
  const [subscription] = (await harness.stripe.subscriptions.list()).data;
  const inTenDays = Math.floor(harness.app.clock() / 1000) + 10 * 86_400;
  await harness.stripe.subscriptions.update(String(subscription?.id), { trial_end: inTenDays });
  await harness.reconcile();
  expect(await revenueNow()).toEqual([]);
});

test("a year's export begins and ends with the seller's year, and goes on after a row", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  await harness.control("refund", { order: (await harness.rows()).orders[0]?.["id"], amountMinor: 100 });
  await harness.reconcile();
  const [sale, refund, ...others] = await movementsOf(harness, thisYear);
  expect([sale?.what, refund?.what, others]).toEqual(["sale", "refund", []]);
  expect([sale?.providerNumber, refund?.corrects]).toEqual([expect.stringMatching(/-0001$/), sale?.number]);
  const { documents } = await harness.rows();
  const { issued_at: at, order_id: id } = documents?.find(({ kind }) => kind === "invoice") ?? {};
  expect(await movementsOf(harness, thisYear, `${at}~${id}~invoice`)).toEqual([refund]);
  expect(await movementsOf(harness, thisYear - 1)).toEqual([]);
  expect(await exportMovements(harness.app, { year: thisYear, after: "x~y" })).toMatchObject({ ok: false });
});
