import { describe, expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { writeQuote } from "#app/modules/checkout/quote.rules.ts";
import { startChange } from "#app/modules/plan-changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { large, minor, small } from "#tests/support/catalogue.ts";
import { openBillingHarness } from "#tests/support/billing-harness.ts";

/** Somebody with a bank account and a card, whose plan is charged to the one that is chosen. */
async function aDebtor() {
  const harness = await openBillingHarness();
  const begun = await harness.choose(small.id);
  if (!begun.ok) throw new Error(begun.refusal.reason);
  for (const outcome of ["processing", "paid"] as const) await harness.leaveCheckout(begun.value.url, outcome);
  await harness.reconcile();
  const customer = await harness.customerId();
  const [account] = (await harness.stripe.customers.listPaymentMethods(customer, { type: "sepa_debit" })).data;
  const [plan] = (await harness.stripe.subscriptions.list()).data;
  const { id: card } = await harness.stripe.paymentMethods.attach("pm_card_visa", { customer });
  const { id: emptyCard } = await harness.stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
  const methods = { debit: String(account?.id), card, emptyCard };
  const payBy = (method: keyof typeof methods) =>
    harness.stripe.subscriptions.update(String(plan?.id), { default_payment_method: methods[method] });
  const offer = async () => {
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("Nothing runs");
    const standing = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
    return offerChange(harness.app, standing, { planId: large.id, interval: "month" });
  };
  const confirm = async (quote: string, app = harness.app) =>
    startChange(app, await harness.account(), { planId: large.id, interval: "month", quote });
  return { harness, payBy, offer, confirm, subscriptionId: String(plan?.id) };
}

test("a change that was confirmed and not answered is quoted anew once the plan is paid by debit, and is not charged", async () => {
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

test("a plan that is already planned for the next period stays planned when a change of now is refused for its payment method", async () => {
  const { harness, payBy, offer, subscriptionId } = await aDebtor();
  const input = { subscriptionId, priceKey: `${large.id}_year` };
  await payBy("debit");
  await harness.payments.planChange(input);
  const refusal = await harness.payments.changePlan({ ...input, orderId: "ord_1", prorationAt: null });
  expect(refusal).toEqual({ ok: false, refusal: { reason: "provider-refused", code: "change-blocked" } });
  expect((await harness.stripe.subscriptions.retrieve(subscriptionId)).schedule).not.toBeNull();
  expect(await offer()).toMatchObject({ kind: "later" });
});

describe("a change of a plan whose renewal isn't paid", () => {
  /** So long after the period has ended; the plan is charged to a card from then on. */
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
      const input = { subscriptionId, priceKey: `${large.id}_month`, prorationAt: null };
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
    const charge = { subscriptionId, priceKey: `${large.id}_month`, orderId: "ord_1", prorationAt: null };
    expect(await harness.payments.changePlan(charge)).toMatchObject({ refusal: { code: "change-blocked" } });
    expect(await invoices()).toEqual(before);
    const later = await offer();
    if (later.kind !== "later") throw new Error(later.kind);
    expect(later.instead).toBe("renewal-unpaid");
    expect(await confirm(later.quote)).toMatchObject({ value: { kind: "planned" } });
    expect(await invoices()).toEqual(before);
  });

  test("is one of now again when the debit has arrived, and a quote for the next period has moved", async () => {
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
    "quoted for %s is refused (%s) once the debit has failed and the new card leaves the renewal %s, before the site was told",
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
      // By the sync that came with the refusal.
      expect((await harness.rows()).subscriptions).toMatchObject([{ state, pending_plan_id: null }]);
    },
  );
});
