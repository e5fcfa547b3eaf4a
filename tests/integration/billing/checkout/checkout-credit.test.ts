import { beforeEach, describe, expect, test } from "vitest";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { lotsOf } from "#app/modules/billing/credit/lots.rules.ts";
import { balanceOf } from "#app/modules/billing/credit/rules.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

const plans = product.plans.map((plan) =>
  plan.id === small.id ? { ...plan, prices: { month: { amountMinor: 600 }, year: { amountMinor: 6000 } } } : plan,
);
const sold: ProductConfig = { ...product, plans };

/** Stripe documents both: with the first invoice, or with the session before there is an invoice. */
describe.each(["invoice", "session"] as const)("credit at checkout that is booked with the %s", (creditAtCheckout) => {
  let harness: BillingHarness;

  beforeEach(async () => {
    harness = await openBillingHarness(sold);
    await harness.control("disorder", { creditAtCheckout });
    // There is a customer with a balance before the first payment.
    const looked = await harness.choose();
    if (!looked.ok) throw new Error(looked.refusal.reason);
    await harness.leaveCheckout(looked.value.url, "expired");
  });

  async function give(amountMinor: number) {
    const customer = await harness.customerId();
    await harness.stripe.customers.createBalanceTransaction(customer, {
      amount: -amountMinor,
      currency: product.currency.toLowerCase(),
    });
    await reconcileAndSync();
  }

  async function reconcileAndSync() {
    await harness.reconcile();
    expect(await syncCredit(harness.app, harness.accountId)).toMatchObject({ ok: true });
  }

  /** Opens a checkout; returns its page's address. */
  async function open(creditMinor: number) {
    const begun = await harness.choose(small.id, "month", harness.app, { creditMinor });
    if (!begun.ok) throw new Error(begun.refusal.reason);
    return begun.value.url;
  }

  const lines = async () => await listLedgerLines(harness.app.db, harness.accountId);
  const newestOrder = async () => (await harness.rows()).orders.at(-1);
  const atProvider = async () => {
    const customer = await harness.stripe.customers.retrieve(await harness.customerId());
    return "balance" in customer ? 0 - customer.balance : null;
  };

  async function expectCredit(creditMinor: number) {
    expect([balanceOf(await lines()), await atProvider()]).toEqual([creditMinor, creditMinor]);
  }

  test.each([
    ["a part of the price", 200, { charged: 400, used: 200, left: 0, owed: 0 }],
    ["the whole price", 1000, { charged: 0, used: 600, left: 400, owed: 0 }],
    // The rest is owed with the next charge. Only the invoice's own balances distinguish the two parts of an order.
    ["all but less than the smallest charge", 570, { charged: 0, used: 570, left: 0, owed: 30 }],
  ])(
    "for %s is stored on the order, with the charge, and in the ledger with its invoice",
    async (_, given, { owed, ...after }) => {
      await give(given);
      await harness.leaveCheckout(await open(given), "paid");
      await reconcileAndSync();
      const charges = (await harness.stripe.charges.list()).data.filter(({ paid }) => paid);
      expect(charges.reduce((sum, { amount }) => sum + amount, 0)).toBe(after.charged);
      const order = await newestOrder();
      const onOrder = creditAtCheckout === "session" ? after.used + owed : after.used;
      expect(order).toMatchObject({ state: "paid", amount_minor: after.charged, credit_minor: onOrder });
      expect(order?.["invoice_id"]).toMatch(/^in_/);
      const uses = (await lines()).filter(({ kind }) => kind === "applied");
      expect(uses).toMatchObject([{ why: "order", amountMinor: -after.used, invoiceId: order?.["invoice_id"] }]);
      expect([balanceOf(await lines()), await atProvider()]).toEqual([after.left, after.left - owed]);
      expect(harness.reports).toEqual([]);
    },
  );

  test("survives a declined card, and is returned unchanged when the checkout expires", async () => {
    await give(200);
    const before = lotsOf(await lines());
    const url = await open(200);
    await harness.leaveCheckout(url, "declined");
    await reconcileAndSync();
    await harness.leaveCheckout(url, "expired");
    await reconcileAndSync();
    await expectCredit(200);
    expect(lotsOf(await lines())).toEqual(before);
    expect(await newestOrder()).toMatchObject({ state: "expired" });
  });

  test("is used once after a declined card, and the ledger line written in between gets the invoice", async () => {
    await give(200);
    const url = await open(200);
    await harness.leaveCheckout(url, "declined");
    await reconcileAndSync();
    await harness.leaveCheckout(url, "paid");
    await reconcileAndSync();
    const order = await newestOrder();
    expect(order).toMatchObject({ state: "paid", amount_minor: 400, credit_minor: 200 });
    expect((await lines()).filter(({ kind }) => kind === "applied")).toMatchObject([
      { amountMinor: -200, invoiceId: order?.["invoice_id"] },
    ]);
    await expectCredit(0);
  });

  test("is returned when a bank debit fails and its plan never begins", async () => {
    await give(200);
    const [, id = ""] = /\/checkout\/([^/]+)$/.exec(await open(200)) ?? [];
    await harness.control("checkout", { session: id, outcome: "processing" });
    await reconcileAndSync();
    await harness.control("checkout", { session: id, outcome: "declined" });
    const { invoice } = await harness.stripe.checkout.sessions.retrieve(id);
    await harness.stripe.invoices.voidInvoice(String(invoice));
    await reconcileAndSync();
    await expectCredit(200);
  });

  test("is returned with the refund of the order that used it", async () => {
    await give(200);
    await harness.leaveCheckout(await open(200), "paid");
    await reconcileAndSync();
    const [charge] = (await harness.stripe.charges.list()).data;
    await harness.stripe.refunds.create({ charge: charge?.id ?? "" });
    await reconcileAndSync();
    await expectCredit(200);
    expect((await lines()).at(-1)).toMatchObject({ why: "order-refunded", amountMinor: 200 });
  });
});
