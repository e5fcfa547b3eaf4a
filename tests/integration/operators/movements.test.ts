import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportMovements } from "#app/modules/operators/reads/export-movements.server.ts";
import { readMetrics } from "#app/modules/operators/reads/read-metrics.server.ts";
import { writeOrdersCsv } from "#app/modules/billing/history/reads/write-orders-csv.server.ts";
import { dayMs } from "#app/core/time/time.ts";
import { priceKey, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { moneyLeft } from "#app/modules/billing/documents/rules.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { product } from "#app/product/config.ts";
import {
  type BillingHarness,
  openBillingHarness,
  photograph,
  putBack,
} from "#tests/support/billing/billing-harness.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { change } from "#tests/support/billing/contracts.ts";
import { idOf } from "#tests/support/ids.ts";

const thisYear = new Date().getUTCFullYear();
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

async function movementsOf({ app }: BillingHarness, year: number, after?: string) {
  const exported = await exportMovements(app, { year, after });
  if (!exported.ok) throw new Error(exported.refusal.reason);
  return exported.value.movements;
}

/** What the customer's own file says is left of everything paid. */
async function leftInFile({ app, accountId }: BillingHarness): Promise<number> {
  const file = await new Response(await writeOrdersCsv(app, accountId, { year: null, state: null }, "comma")).text();
  const [head = "", ...rows] = file.trim().split("\r\n");
  const names = head.replace("\uFEFF", "").split(",");
  const paid = rows.map((row) => row.split(",")).filter((cells) => cells[names.indexOf("paid_at")] !== "");
  return sum(paid.map((cells) => Number(cells[names.indexOf("left_minor")])));
}

type Sums = Record<"netMinor" | "taxMinor" | "totalMinor" | "moneyMinor", number>;

function addUp(parts: Sums[]): Sums {
  const of = (field: keyof Sums) => sum(parts.map((part) => part[field]));
  return {
    netMinor: of("netMinor"),
    taxMinor: of("taxMinor"),
    totalMinor: of("totalMinor"),
    moneyMinor: of("moneyMinor"),
  };
}

/** What the pages of the customer's orders say of invoices less credit notes. */
async function leftOnPages({ app, accountId, rows }: BillingHarness): Promise<Sums[]> {
  const { orders } = await rows();
  const shown = await Promise.all(orders.map(({ id }) => showOrder(app, accountId, idOf("ord", String(id)))));
  return shown.flatMap((detail) => {
    if (!detail?.invoice) return [];
    const { invoice, creditNotes } = detail;
    const [paid, back] = [addUp([invoice]), addUp(creditNotes)];
    expect(moneyLeft(invoice, creditNotes)).toBe(paid.moneyMinor - back.moneyMinor);
    return [
      {
        netMinor: paid.netMinor - back.netMinor,
        taxMinor: paid.taxMinor - back.taxMinor,
        totalMinor: paid.totalMinor - back.totalMinor,
        moneyMinor: paid.moneyMinor - back.moneyMinor,
      },
    ];
  });
}

const deedKinds = ["renewal", "refund", "dispute", "change", "credit", "plan"] as const;
type Deed = { what: (typeof deedKinds)[number]; part: number };
const deeds = fc.array(fc.record({ what: fc.constantFrom<Deed["what"]>("renewal", ...deedKinds), part: fc.nat(99) }), {
  minLength: 3,
  maxLength: 6,
});
type Customer = { deeds: Deed[]; areRefundsReturned: boolean };
const customers = fc.array(fc.record({ deeds, areRefundsReturned: fc.boolean() }), { minLength: 2, maxLength: 2 });
const taxes = fc.constantFrom<ProductConfig["tax"]>({ rate: 19, name: "VAT" }, { exempt: "No VAT" }, product.tax);

async function carryOut(harness: BillingHarness, { what, part }: Deed): Promise<void> {
  if (what === "renewal") await harness.pass(31);
  await harness.reconcile();
  if (what === "renewal") return;
  const share = Math.max(1, Math.floor((minor(small) * part) / 100));
  if (what === "credit") {
    const [open] = (await harness.rows()).orders;
    const credit = { amount: -share, currency: String(open?.["currency"]).toLowerCase() };
    await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), credit);
  } else if (what === "plan") {
    // The team gives another one, and what credit and money paid for the rest of this one goes back.
    const lookup = priceKey(part < 50 ? large.id : small.id, "month");
    const [price] = (await harness.stripe.prices.list({ lookup_keys: [lookup] })).data;
    const items = [{ price: price?.id ?? "" }];
    await harness.stripe.subscriptions.create({ customer: await harness.customerId(), items, trial_period_days: 30 });
  } else if (what === "change") {
    const to = { planId: part < 50 ? large.id : small.id, interval: "month" } as const;
    // The plan that runs already, or none that runs.
    await change(harness, to).catch((error: unknown) => {
      if (!/No quote|Nothing runs/.test(String(error))) throw error;
    });
  } else {
    const paid = (await harness.rows()).orders.filter(({ state, dispute }) => state === "paid" && dispute === "none");
    const open = paid.find(({ amount_minor: amountMinor }) => Number(amountMinor) > 0);
    if (!open) return;
    const order = String(open["id"]);
    if (what === "refund")
      await harness.control("refund", { order, amountMinor: Math.min(share, Number(open["amount_minor"])) });
    else await harness.control("dispute", { order, outcome: part < 50 ? "won" : "lost" });
  }
  await harness.reconcile();
}

/** Refunds to the card 4000000000005126 come back after some days. */
async function buy(harness: BillingHarness, testCard: string): Promise<void> {
  const begun = await harness.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  const address = { line1: "1 Main St", postal_code: "10115", city: "Berlin", country: "DE" };
  const back = await harness.send(begun.value.url, { name: "Ada", ...address, testCard });
  expect(back).toContain("/payment/success");
}

/** Credit that an order had used goes back only with a credit note, and to the cent. */
async function expectCreditNotes({ app, accountId, rows }: BillingHarness): Promise<void> {
  for (let times = 0; times < 2; times += 1) await syncCredit(app, accountId);
  const lines = (await listLedgerLines(app.db, accountId)).filter(({ why }) => why === "order-refunded");
  const { orders, documents } = await rows();
  for (const { id, invoice_id: invoiceId, credit_returned_minor: returnedMinor } of orders) {
    const given = lines.filter((line) => line.invoiceId === invoiceId).map(({ amountMinor }) => amountMinor);
    const notes = documents.filter(({ order_id, reason }) => order_id === id && reason === "credit");
    const noted = notes.flatMap(({ steps }) => readSteps(String(steps))).map(({ amountMinor }) => -amountMinor);
    expect([sum(given), sum(noted)]).toEqual([returnedMinor, returnedMinor]);
  }
}

function readSteps(json: string): { amountMinor: number }[] {
  // As the column is written.
  const steps = JSON.parse(json) as { what: string; amountMinor: number }[];
  return steps.filter(({ what }) => what === "credited");
}

/** One after the other, in one database. */
async function play(lives: Customer[], sold: ProductConfig): Promise<BillingHarness[]> {
  const harnesses: BillingHarness[] = [];
  for (const { deeds: list, areRefundsReturned } of lives) {
    const before = await photograph();
    const harness = await openBillingHarness(sold);
    if (harnesses.length > 0) await putBack(before);
    harnesses.push(harness);
    await buy(harness, areRefundsReturned ? "4000000000005126" : "4242424242424242");
    await harness.reconcile();
    for (const deed of list) await carryOut(harness, deed);
    // By then the bank has returned what it returns.
    await harness.pass(6);
    await harness.reconcile();
    await expectCreditNotes(harness);
  }
  return harnesses;
}

describe("the movements of all years", () => {
  test("add up to what all customers' own pages and files say is left, whatever was refunded, lost, returned or changed", async () => {
    await fc.assert(
      fc.asyncProperty(customers, taxes, async (lives, tax) => {
        const harnesses = await play(lives, { ...product, tax });
        const [first] = harnesses;
        if (!first) throw new Error("Nobody bought");
        const years = await Promise.all([0, 1].map((later) => movementsOf(first, thisYear + later)));
        const moved = addUp(years.flat());
        const onPages = await Promise.all(harnesses.map(leftOnPages));
        expect(moved).toEqual(addUp(onPages.flat()));
        expect(moved.moneyMinor).toBe(sum(await Promise.all(harnesses.map(leftInFile))));
        for (const { netMinor, taxMinor, totalMinor, taxes: parts } of years.flat()) {
          expect(netMinor + taxMinor).toBe(totalMinor);
          expect(sum(parts.map(({ amountMinor }) => amountMinor))).toBe(taxMinor);
        }
      }),
      { numRuns: 4 },
    );
  }, 400_000);
});

test("an amount counts in the year and the month of the seller's zone", async () => {
  const harness = await openBillingHarness({ ...product, timeZone: "Pacific/Kiritimati" });
  const noonOf = (year: number) => Date.UTC(year, 11, 31, 12);
  const year = harness.app.clock() < noonOf(thisYear) ? thisYear : thisYear + 1;
  // There it is the second hour of the new year.
  await harness.pass((noonOf(year) - harness.app.clock()) / dayMs);
  await harness.buy();
  await harness.reconcile();
  expect(await movementsOf(harness, year)).toEqual([]);
  expect(await movementsOf(harness, year + 1)).toMatchObject([{ what: "sale", date: `${year + 1}-01-01` }]);
  const { revenue } = await readMetrics(harness.app);
  expect(revenue.at(-1)).toMatchObject({ month: `${year + 1}-01`, orders: 1 });
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
  const [bought, ...later] = revenue.filter(({ orders, disputedMinor }) => orders > 0 || disputedMinor > 0);
  expect(bought).toMatchObject({ orders: 1, paidMinor: minor(small), refundedMinor: 0, disputedMinor: 0 });
  // After a short month the dispute is already in the month after the renewal's.
  const sum = (of: (month: (typeof revenue)[number]) => number) => later.reduce((total, month) => total + of(month), 0);
  expect([sum(({ orders }) => orders), sum(({ paidMinor }) => paidMinor)]).toEqual([1, minor(small)]);
  expect(sum(({ disputedMinor }) => disputedMinor)).toBe(minor(small));
  expect(sum(({ refundedMinor }) => refundedMinor)).toBeGreaterThanOrEqual(100);
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
