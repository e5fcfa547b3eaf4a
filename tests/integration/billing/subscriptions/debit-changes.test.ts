import { idOf } from "#tests/support/ids.ts";
import { noOrder } from "#app/core/id.ts";
import { describe, expect, test } from "vitest";
import { env } from "cloudflare:workers";
import { refused } from "#app/core/result.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { shownPrice } from "#app/modules/catalogue/shown-prices.rules.ts";
import { product } from "#app/product/config.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { declare, giveBack, orders, contractTotals } from "#tests/support/billing/contracts.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

/** An account with a bank account and a card, whose plan is charged to the chosen one. */
async function aDebtor() {
  const harness = await openBillingHarness();
  const begun = await harness.choose(small.id);
  if (!begun.ok) throw new Error(begun.refusal.reason);
  for (const outcome of ["processing", "paid"] as const) await harness.leaveCheckout(begun.value.url, outcome);
  await harness.reconcile();
  const customer = await harness.customerId();
  const [account] = (await harness.stripe.customers.listPaymentMethods(customer, { type: "sepa_debit" })).data;
  const [subscription] = (await harness.stripe.subscriptions.list()).data;
  const { id: card } = await harness.stripe.paymentMethods.attach("pm_card_visa", { customer });
  const { id: emptyCard } = await harness.stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
  const methods = { debit: String(account?.id), card, emptyCard };
  const payBy = (method: keyof typeof methods) =>
    harness.stripe.subscriptions.update(String(subscription?.id), { default_payment_method: methods[method] });
  const offer = async () => {
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("Nothing runs");
    const contractTotals = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
    return offerChange(harness.app, contractTotals, { planId: large.id, interval: "month" });
  };
  const confirm = async (quote: string, app = harness.app) =>
    startChange(app, await harness.account(), { planId: large.id, interval: "month", quote });
  return { harness, payBy, offer, confirm, subscriptionId: idOf("sub", subscription?.id) };
}

test("a change whose confirmation got no answer is quoted again once the plan is paid by debit, and isn't charged", async () => {
  const { harness, payBy, offer, confirm } = await aDebtor();
  await payBy("card");
  const now = await offer();
  if (now.kind !== "now") throw new Error(now.kind);
  const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
  const unanswered = await confirm(now.quote, {
    ...harness.app,
    payments: { ...harness.payments, changePlan: silent },
  });
  expect(unanswered).toMatchObject({ ok: false, refusal: { reason: "payment-unconfirmed" } });
  await payBy("debit");
  expect(await confirm(now.quote)).toEqual({ ok: false, refusal: { reason: "quote-moved" } });
  const orders = (await harness.rows()).orders.map(({ kind, state }) => `${kind} ${state}`);
  expect(orders.toSorted()).toEqual(["change cancelled", "new-plan paid"]);
  expect(await offer()).toMatchObject({ kind: "later", instead: "payment-method" });
});

test("a plan that is scheduled for the next period stays scheduled when an immediate change is refused for its payment method", async () => {
  const { harness, payBy, offer, subscriptionId } = await aDebtor();
  const input = { subscriptionId, price: shownPrice(product, large.id, "year") };
  await payBy("debit");
  await harness.payments.scheduleChange(input);
  const refusal = await harness.payments.changePlan({ ...input, orderId: "ord_1", prorationAt: null });
  expect(refusal).toEqual({ ok: false, refusal: { reason: "provider-refused", code: "change-blocked" } });
  expect((await harness.stripe.subscriptions.retrieve(subscriptionId)).schedule).not.toBeNull();
  expect(await offer()).toMatchObject({ kind: "later" });
});

describe("a plan that ends while the debit of its renewal is processing", () => {
  /** A month and its renewal, and the state of both charges. */
  async function renewing() {
    const { harness, subscriptionId } = await aDebtor();
    await env.DB.exec("delete from withdrawals");
    const [first] = await orders(harness);
    await harness.pass(13);
    return {
      harness,
      subscriptionId,
      first: first?.id ?? noOrder,
      async renew() {
        await harness.pass(18.2);
        await harness.reconcile();
        const renewal = (await orders(harness)).find(({ kind }) => kind === "renewal");
        expect(renewal).toMatchObject({ state: "processing" });
        return renewal?.id ?? "";
      },
      async facts() {
        await harness.reconcile();
        const { status } = await harness.stripe.subscriptions.retrieve(subscriptionId);
        const invoices = await harness.stripe.invoices.list({ subscription: subscriptionId });
        const charges = await harness.stripe.charges.list({ customer: await harness.customerId() });
        return {
          plan: [status, (await harness.rows()).subscriptions[0]?.state],
          invoices: invoices.data.map((invoice) => invoice.status),
          charges: charges.data.map((charge) => `${charge.status} ${charge.amount - charge.amount_refunded}`),
          orders: (await orders(harness)).map(({ kind, state }) => `${kind} ${String(state)}`),
        };
      },
    };
  }

  const ended = ["canceled", "ended"];
  const price = minor(small);

  test.each(["withdrawal", "operator", "dispute-lost"] as const)(
    "because of a refund (%s) leaves the debit to the bank, and what it collects is refunded",
    async (reason) => {
      const { harness, first, renew, facts } = await renewing();
      if (reason === "withdrawal") await declare(harness, idOf("ord", first));
      const renewal = await renew();
      await giveBack(harness, idOf("ord", first), reason);
      expect(await facts()).toMatchObject({
        plan: ended,
        invoices: ["open", "paid"],
        charges: [`pending ${price}`, expect.stringContaining("succeeded")],
        orders: expect.arrayContaining(["renewal processing"]),
      });
      await harness.pass(1);
      await harness.control("debit", { order: renewal, outcome: "paid" });
      expect(await facts()).toMatchObject({ invoices: ["paid", "paid"], charges: ["succeeded 0", expect.anything()] });
      expect(await contractTotals(harness)).toMatchObject({ plan: "ended" });
      expect((await orders(harness)).find(({ id }) => id === renewal)).toMatchObject({ backMinor: price });
      expect(harness.reports.filter((report) => report.includes("after its plan had ended"))).toEqual([]);
    },
  );

  test.each(["withdrawal", "operator"] as const)(
    "and whose debit fails (%s) has its invoice voided, which isn't collected again",
    async (reason) => {
      const { harness, first, renew, facts } = await renewing();
      if (reason === "withdrawal") await declare(harness, idOf("ord", first));
      const renewal = await renew();
      await giveBack(harness, idOf("ord", first), reason);
      expect(await facts()).toMatchObject({ plan: ended, invoices: ["open", "paid"] });
      await harness.control("debit", { order: renewal, outcome: "declined" });
      const after = { plan: ended, invoices: ["void", "paid"], orders: ["new-plan refunded", "renewal cancelled"] };
      expect(await facts()).toMatchObject(after);
      expect(await facts()).toMatchObject(after);
    },
  );

  test("in the dashboard reports a later payment, once", async () => {
    const { harness, subscriptionId, renew, facts } = await renewing();
    const renewal = await renew();
    await harness.stripe.subscriptions.cancel(subscriptionId);
    expect(await facts()).toMatchObject({ plan: ended, invoices: ["open", "paid"] });
    await harness.pass(1);
    await harness.control("debit", { order: renewal, outcome: "paid" });
    expect(await facts()).toMatchObject({ orders: ["new-plan paid", "renewal paid"] });
    await facts();
    expect(harness.reports.filter((report) => report.includes("after its plan had ended"))).toHaveLength(1);
  });

  test("can't be ended by its owner, since a debit that was started by hand is awaited first", async () => {
    const { harness, renew, facts } = await renewing();
    const renewal = await renew();
    await harness.control("debit", { order: renewal, outcome: "declined" });
    await harness.reconcile();
    expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({ value: { state: "processing" } });
    const refusal = { ok: false, refusal: { reason: "payment-in-process", orderId: renewal } };
    expect(await runSubscriptionAction(harness.app, await harness.account(), "cancel")).toEqual(refusal);
    expect(await facts()).toMatchObject({ plan: ["past_due", "past-due-grace"], invoices: ["open", "paid"] });
    await harness.control("debit", { order: renewal, outcome: "declined" });
    await harness.reconcile();
    expect(await runSubscriptionAction(harness.app, await harness.account(), "cancel")).toEqual({
      ok: true,
      value: "plan-ended",
    });
    expect(await facts()).toMatchObject({ plan: ended, invoices: ["void", "paid"] });
  });
});

describe("a change of a plan whose renewal isn't paid", () => {
  /** This long after the period has ended; the plan is charged to a card from then on. */
  async function renewing(afterMs: number, method: "card" | "emptyCard" = "card") {
    const debtor = await aDebtor();
    const { harness, subscriptionId, payBy } = debtor;
    const { items } = await harness.stripe.subscriptions.retrieve(subscriptionId);
    const endsAt = Number(items.data[0]?.current_period_end) * secondMs;
    await harness.pass((endsAt + afterMs - harness.app.clock()) / dayMs);
    await payBy(method);
    await harness.reconcile();
    const invoices = async () => {
      const { data } = await harness.stripe.invoices.list({ subscription: subscriptionId });
      return data.map(({ billing_reason, status }) => `${billing_reason} ${status}`);
    };
    /** What a page offered while the period still counted as paid: less than the price of the larger plan. */
    const quotedNow = async () => {
      const input = { subscriptionId, price: shownPrice(product, large.id, "month"), prorationAt: null };
      const preview = await harness.payments.previewChange(input);
      if (!preview.ok) throw new Error(preview.refusal.reason);
      expect(preview.value.amountMinor).toBeLessThanOrEqual(minor(large) - minor(small));
      return writeQuote(harness.app.pepper, harness.accountId, { ...preview.value, quotedAt: harness.app.clock() });
    };
    const settle = async (outcome: "paid" | "declined") => {
      const renewal = (await harness.rows()).orders.find(({ kind }) => kind === "renewal");
      await harness.control("debit", { order: renewal?.["id"], outcome });
    };
    return { ...debtor, invoices, quotedNow, settle };
  }

  test.each([
    ["a draft", 10 * minuteMs, "draft"],
    ["a debit that is processing", 2 * hourMs, "open"],
  ])("which is %s begins with the next period, and nothing is charged before", async (_, afterMs, status) => {
    const { harness, offer, confirm, invoices, quotedNow, subscriptionId } = await renewing(afterMs);
    const before = [`subscription_cycle ${status}`, "subscription_create paid"];
    expect(await invoices()).toEqual(before);
    expect(await confirm(await quotedNow())).toEqual({ ok: false, refusal: { reason: "quote-moved" } });
    const charge = {
      subscriptionId,
      price: shownPrice(product, large.id, "month"),
      orderId: "ord_1",
      prorationAt: null,
    } as const;
    expect(await harness.payments.changePlan(charge)).toMatchObject({ refusal: { code: "change-blocked" } });
    expect(await invoices()).toEqual(before);
    const later = await offer();
    if (later.kind !== "later") throw new Error(later.kind);
    expect(later.instead).toBe("renewal-unpaid");
    expect(await confirm(later.quote)).toMatchObject({ value: { kind: "planned" } });
    expect(await invoices()).toEqual(before);
  });

  test("is immediate again when the debit has arrived, and a quote for the next period is outdated", async () => {
    const { offer, confirm, settle, invoices, harness } = await renewing(2 * hourMs);
    const later = await offer();
    if (later.kind !== "later") throw new Error(later.kind);
    await settle("paid");
    await harness.reconcile();
    expect(await confirm(later.quote)).toEqual({ ok: false, refusal: { reason: "quote-moved" } });
    const now = await offer();
    if (now.kind !== "now") throw new Error(now.kind);
    expect(await confirm(now.quote)).toMatchObject({ value: { kind: "begun", order: { state: "paid" } } });
    expect(await invoices()).toEqual([
      "subscription_update paid",
      "subscription_cycle paid",
      "subscription_create paid",
    ]);
  });

  test.each([
    ["now", "payment-due", "open", "past-due-grace"],
    ["later", "payment-due", "open", "past-due-grace"],
    ["now", "quote-moved", "paid", "active"],
    ["later", "quote-moved", "paid", "active"],
  ] as const)(
    "quoted for %s is refused (%s) once the debit has failed and the new card leaves the renewal %s, before the site learned of it",
    async (kind, reason, status, state) => {
      const debtor = await renewing(2 * hourMs, status === "paid" ? "card" : "emptyCard");
      const { harness, offer, confirm, invoices, quotedNow, settle } = debtor;
      const later = await offer();
      const quote = kind === "later" && later.kind === "later" ? later.quote : await quotedNow();
      await settle("declined");
      expect((await harness.rows()).subscriptions).toMatchObject([{ state: "active" }]);
      expect(await offer()).toEqual({ kind: "refused", refusal: { reason: "payment-due" } });
      expect(await confirm(quote)).toEqual({ ok: false, refusal: { reason } });
      expect(await invoices()).toEqual([`subscription_cycle ${status}`, "subscription_create paid"]);
      // By the sync that followed the refusal.
      expect((await harness.rows()).subscriptions).toMatchObject([{ state, pending_plan_id: null }]);
    },
  );
});
