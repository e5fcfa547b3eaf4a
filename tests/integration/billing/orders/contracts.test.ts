import { noOrder } from "#app/core/id.ts";
import { product } from "#app/product/config.ts";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { contractTable } from "#app/modules/billing/withdrawals/contract.rules.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { balanceOf } from "#app/modules/billing/credit/rules.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import {
  change,
  conclude,
  contracts,
  declarations,
  type End,
  giveBack,
  offer,
  offered,
  orders,
  type Sold,
  sum,
  contractTotals,
} from "#tests/support/billing/contracts.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

const ends: End[] = ["withdrawal", "operator", "dispute-lost"];
const cells = Object.entries(contracts).flatMap(([name, sold]) =>
  ends.flatMap((by) => sold.map((_, index) => ({ name, sold, by, index, which: `order ${index + 1}` }))),
);

/** The sentence of the email about a refund that settles a withdrawal. */
function acceptedWithdrawal(): RegExp {
  const facts = { what: gap, amount: gap, url: "", number: gap, planEnded: true, withdrawn: gap };
  const [accepted = ""] = emailOf({ template: "refund", ...facts }).before;
  return fillGaps(accepted);
}

/** Seconds pass between a purchase and its refund: so much of it was used. */
const usedMinor = 2;

describe("a full refund of one order", () => {
  test.each(cells)("ends the plan and refunds the whole contract: $name, by $by of $which", async (cell) => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(cell.sold);
    const order = (await orders(harness))[cell.index];
    await giveBack(harness, order?.id ?? noOrder, cell.by);
    const after = await contractTotals(harness);
    expect(after.plan).toBe("ended");
    // A bank keeps what it took: that is not one of our refunds.
    const byBank = cell.by === "dispute-lost" ? (order?.paidMinor ?? 0) : 0;
    expect(after.retainedMinor - byBank).toBeGreaterThanOrEqual(0);
    expect(after.retainedMinor - byBank).toBeLessThanOrEqual(cell.by === "withdrawal" ? 0 : usedMinor);
    const { subscription, declaration, offered: shown } = contractTable[cell.by].full;
    expect(subscription).toBe("ends");
    if (cell.by === "withdrawal")
      expect(await declarations()).toEqual([declaration === "settled" ? "refunded" : "declared"]);
    const left = after.retainedMinor - byBank;
    expect(await offered(harness)).toBe(shown === "settled" ? "settled" : left > 0 ? left : "nothing");
    expect(harness.reports.filter((report) => !report.includes("is disputed"))).toEqual([]);
  });
});

describe("a partial refund of one order", () => {
  test.each(cells)("changes nothing else: $name, by $by of $which", async (cell) => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(cell.sold);
    const order = (await orders(harness))[cell.index];
    await giveBack(harness, order?.id ?? noOrder, cell.by, 100);
    const after = await contractTotals(harness);
    const { subscription, owed, declaration, offered: shown } = contractTable[cell.by].part;
    expect({ subscription, owed }).toEqual({ subscription: "continues", owed: "nothing" });
    expect(after.plan).toBe("runs");
    const byBank = cell.by === "dispute-lost" ? 100 : 0;
    expect(after.paidMinor - after.retainedMinor).toBe(100 - byBank);
    if (cell.by === "withdrawal")
      expect(await declarations()).toEqual([declaration === "open" ? "declared" : "refunded"]);
    expect(await offered(harness)).toBe(shown === "declared" ? "declared" : after.paidMinor - 100);
  });
});

const yearThenMore: Sold[] = [
  { planId: small.id, interval: "year" },
  { planId: large.id, interval: "year" },
];

describe("after days of use", () => {
  test.each(["operator", "dispute-lost"] as const)(
    "a full refund by %s keeps the used part, and a withdrawal that would refund it is still offered",
    async (by) => {
      await env.DB.exec("delete from withdrawals");
      const harness = await conclude(contracts["a change to a year"], 3);
      await harness.pass(3);
      const [first, second] = await orders(harness);
      await giveBack(harness, first?.id ?? noOrder, by);
      const after = await contractTotals(harness);
      const left = after.retainedMinor - (by === "dispute-lost" ? (first?.paidMinor ?? 0) : 0);
      expect(left).toBeGreaterThan(usedMinor);
      expect(await offered(harness)).toBe(left);
      await giveBack(harness, second?.id ?? noOrder, "withdrawal");
      expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: after.retainedMinor - left });
    },
  );
});

describe("after weeks of use", () => {
  test("a refund of the first order ends the year that replaced it, and the unused part is refunded", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    await harness.pass(73);
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "operator");
    const after = await contractTotals(harness);
    expect(after.plan).toBe("ended");
    const used = (minor(small, "year") * 73) / 365;
    expect(Math.abs(after.retainedMinor - used)).toBeLessThanOrEqual(usedMinor);
  });

  test("a withdrawal from a change refunds the change, and its credit from an older order", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(yearThenMore, 73);
    const [, second] = await orders(harness);
    await giveBack(harness, second?.id ?? noOrder, "withdrawal");
    const after = await contractTotals(harness);
    const used = (minor(small, "year") * 73) / 365;
    expect(after).toMatchObject({ plan: "ended", rows: [{ state: "partially-refunded" }, { state: "refunded" }] });
    expect(Math.abs(after.retainedMinor - used)).toBeLessThanOrEqual(usedMinor);
    expect(await declarations()).toEqual(["refunded"]);
  });

  test("a declaration that comes too late is treated as a normal refund, which keeps the used part", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    await harness.pass(36.5);
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    const after = await contractTotals(harness);
    expect(Math.abs(after.retainedMinor - minor(small, "year") / 10)).toBeLessThanOrEqual(usedMinor);
  });

  test("a reduced price stays reduced: an earlier refund isn't repeated", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    const [first, second] = await orders(harness);
    await harness.control("refund", { order: second?.id, amountMinor: 500 });
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    const after = await contractTotals(harness);
    expect(after).toMatchObject({
      plan: "ended",
      retainedMinor: 0,
      rows: [{ state: "refunded" }, { state: "refunded" }],
    });
  });
});

describe("a friend's discount that was refunded", () => {
  async function discounted() {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    const charge = (await harness.record()).charges.find(({ amountMinor }) => amountMinor > minor(small));
    const metadata = { purpose: "friend-discount", referral: "ref_1" };
    await harness.stripe.refunds.create({ charge: charge?.id ?? "", amount: 500, metadata });
    return harness;
  }

  test("leaves everything running", async () => {
    expect(await contractTotals(await discounted())).toMatchObject({
      plan: "runs",
      rows: [{ state: "paid" }, { state: "paid" }],
    });
  });

  test("reduces a full refund to the remainder, and the site refunds no more than that", async () => {
    for (const index of [0, 1]) {
      const harness = await discounted();
      const order = (await orders(harness))[index];
      await giveBack(harness, order?.id ?? noOrder, "withdrawal");
      expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
    }
  });
});

describe("concurrent refunds", () => {
  test("by ten syncs refund the rest once", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change of a change"]);
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    await Promise.all(Array.from({ length: 10 }, () => harness.reconcile()));
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
    const refunds = await harness.stripe.refunds.list({ limit: 100 });
    expect(refunds.data).toHaveLength(3);
    const refundEmails = (await harness.rows()).emails.filter(({ template }) => template === "refund");
    expect(refundEmails).toHaveLength(3);
  });

  test.each<[string, number | undefined, number]>([
    ["all of it", undefined, 0],
    ["a part of it", 100, 1],
  ])("that the team makes during a sync leave nothing to report: %s", async (_, amountMinor, sent) => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    const [first, second] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    const { payments } = harness;
    const during: typeof payments = {
      ...payments,
      fetchBilling: async (...asked) => {
        const fetched = await payments.fetchBilling(...asked);
        await giveBack(harness, second?.id ?? noOrder, "operator", amountMinor);
        return fetched;
      },
    };
    await harness.reconcile({ ...harness.app, payments: during });
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
    const refunds = await harness.stripe.refunds.list({ limit: 100 });
    expect(refunds.data.filter(({ metadata }) => metadata?.["purpose"] === "rest-of-contract")).toHaveLength(sent);
    expect(harness.reports).toEqual([]);
  });

  test("are finished by the next sync if one was killed before it ended the plan, without another refund", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "operator");
    const killed = { ...harness.payments, endUnpaid: () => Promise.reject(new Error("killed")) };
    await expect(harness.reconcile({ ...harness.app, payments: killed })).rejects.toThrow("killed");
    expect((await contractTotals(harness)).plan).toBe("ended");
    expect((await harness.stripe.refunds.list({ limit: 100 })).data).toHaveLength(2);
  });

  test("wait while a bank reviews a payment, and are made once it decides for us", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a change to a year"]);
    const [first, second] = await orders(harness);
    await harness.control("dispute", { order: first?.id });
    await giveBack(harness, second?.id ?? noOrder, "withdrawal");
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: first?.paidMinor });
    expect(harness.reports.some((report) => report.includes("charge_disputed"))).toBe(true);
    expect(await declarations()).toEqual(["refunded"]);
    await harness.app.settled();
    const accepted = acceptedWithdrawal();
    expect(harness.app.emails.filter(({ text }) => accepted.test(text))).toHaveLength(1);
    await harness.control("dispute", { order: first?.id, outcome: "won" });
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
    // The refund that follows is emailed as well, and the withdrawal has been accepted already.
    await harness.app.settled();
    expect(harness.app.emails.filter(({ subject }) => subjectOf("refund").test(subject))).toHaveLength(2);
    expect(harness.app.emails.filter(({ text }) => accepted.test(text))).toHaveLength(1);
  });

  test("while a change waits for the customer's confirmation leave nothing that could still be paid", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a purchase"]);
    await harness.useCard("pm_card_authenticationRequired");
    const started = await change(harness, { planId: small.id, interval: "year" });
    expect(started).toMatchObject({ ok: true, value: { order: { state: "needs-action" } } });
    const first = (await orders(harness)).find(({ state }) => state === "paid");
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended" });
    const invoices = (await harness.record()).invoices.map(({ state }) => state);
    expect(invoices.toSorted()).toEqual(["paid", "void"]);
    expect((await harness.rows()).orders.map(({ state }) => state).toSorted()).toEqual(["cancelled", "refunded"]);
  });

  test("between a quote and its confirmation prevent the change", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude(contracts["a purchase"]);
    const input: Sold = { planId: small.id, interval: "year" };
    const quote = await offer(harness, input);
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    // Both at the same time: whichever the provider receives first, neither side gains or loses money.
    await Promise.all([startChange(harness.app, await harness.account(), { ...input, quote }), harness.reconcile()]);
    expect(await contractTotals(harness)).toMatchObject({ plan: "ended", retainedMinor: 0 });
  });
});

describe("credit", () => {
  test("that paid for the first order is returned with a withdrawal", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await openBillingHarness();
    await harness.buy();
    await harness.reconcile();
    const customer = await harness.customerId();
    await harness.stripe.customers.createBalanceTransaction(customer, {
      amount: -minor(small),
      currency: product.currency.toLowerCase(),
    });
    await harness.pass(32);
    await harness.reconcile();
    // The renewal was paid by credit alone.
    const started = await change(harness, { planId: small.id, interval: "year" });
    expect(started).toMatchObject({ ok: true });
    await harness.reconcile();
    const [, , changed] = await orders(harness);
    await giveBack(harness, changed?.id ?? noOrder, "withdrawal");
    const after = await contractTotals(harness);
    expect(after).toMatchObject({ plan: "ended", rows: [{ state: "paid" }, { paidMinor: 0 }, { state: "refunded" }] });
  });

  test("that paid for the time that a change took over is returned with a withdrawal from the change, and has its credit note", async () => {
    const back = async (usedMinor: number) => {
      await env.DB.exec("delete from withdrawals");
      const harness = await openBillingHarness();
      await harness.buy();
      const sync = async () => {
        await harness.reconcile();
        await syncCredit(harness.app, harness.accountId);
        return balanceOf(await listLedgerLines(harness.app.db, harness.accountId));
      };
      await sync();
      const credit = { amount: -usedMinor, currency: product.currency.toLowerCase() };
      if (usedMinor > 0) await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), credit);
      await sync();
      await harness.pass(31);
      await sync();
      await harness.pass(9);
      expect(await change(harness, { planId: large.id, interval: "month" })).toMatchObject({ ok: true });
      await sync();
      const changed = (await orders(harness)).at(-1)?.id ?? noOrder;
      const shown = (await showOrder(harness.app, harness.accountId, changed))?.withdrawal.offer;
      await giveBack(harness, changed, "withdrawal");
      const creditMinor = await sync();
      expect(await sync()).toBe(creditMinor);
      const moneyMinor = sum((await orders(harness)).map(({ backMinor }) => backMinor));
      expect([shown?.totalMinor, shown?.creditMinor]).toEqual([moneyMinor, creditMinor]);
      const notes = (await harness.rows()).documents.filter(({ reason }) => reason === "credit");
      expect(sum(notes.map((note) => Number(note["total_minor"])))).toBe(creditMinor);
      return { moneyMinor, creditMinor };
    };
    const [byMoney, byCredit] = [await back(0), await back(Math.floor(minor(small) / 2))];
    expect(byMoney.creditMinor).toBe(0);
    expect(byCredit.creditMinor).toBeGreaterThan(0);
    // Seconds lie between the two.
    const inAll = ({ moneyMinor, creditMinor }: typeof byMoney) => moneyMinor + creditMinor;
    expect(Math.abs(inAll(byCredit) - inAll(byMoney))).toBeLessThanOrEqual(1);
  });

  test("that remained from a change counts as refunded, and isn't paid out a second time", async () => {
    await env.DB.exec("delete from withdrawals");
    const harness = await conclude([{ planId: small.id, interval: "year" }]);
    const [subscription] = (await harness.stripe.subscriptions.list({ customer: await harness.customerId() })).data;
    const price = (await harness.stripe.prices.list({ lookup_keys: [`${small.id}_month`] })).data[0];
    // As a team may do it in the dashboard: the rest of the year becomes credit.
    await harness.stripe.subscriptions.update(subscription?.id ?? "", {
      items: [{ id: subscription?.items.data[0]?.id, price: price?.id }],
      proration_behavior: "always_invoice",
    });
    await harness.reconcile();
    const credit = (await harness.record()).creditMinor;
    expect(credit).toBeGreaterThan(minor(small, "year") - 2 * minor(small));
    const [first] = await orders(harness);
    await giveBack(harness, first?.id ?? noOrder, "withdrawal");
    const after = await contractTotals(harness);
    expect(after).toMatchObject({ plan: "ended", retainedMinor: 0 });
    expect((await harness.record()).creditMinor).toBe(0);
  });
});
