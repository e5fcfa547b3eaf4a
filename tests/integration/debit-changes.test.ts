import { expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/plan-changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { large, small } from "#tests/support/catalogue.ts";
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
  await harness.stripe.paymentMethods.attach("pm_card_visa", { customer });
  const [card] = (await harness.stripe.customers.listPaymentMethods(customer, { type: "card" })).data;
  const methods = { debit: String(account?.id), card: String(card?.id) };
  const payBy = (method: keyof typeof methods) =>
    harness.stripe.subscriptions.update(String(plan?.id), { default_payment_method: methods[method] });
  const offer = async () => {
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("Nothing runs");
    const standing = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
    return offerChange(harness.app, standing, { planId: large.id, interval: "month" });
  };
  return { harness, payBy, offer, subscriptionId: String(plan?.id) };
}

test("a change that was confirmed and not answered is quoted anew once the plan is paid by debit, and is not charged", async () => {
  const { harness, payBy, offer } = await aDebtor();
  await payBy("card");
  const now = await offer();
  if (now.kind !== "now") throw new Error(now.kind);
  const confirm = (app = harness.app) =>
    harness.account().then((account) => startChange(app, account, { planId: large.id, interval: "month", ...now }));
  const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
  const unanswered = await confirm({ ...harness.app, payments: { ...harness.payments, changePlan: silent } });
  expect(unanswered).toMatchObject({ ok: false, refusal: { reason: "payment-unconfirmed" } });
  await payBy("debit");
  expect(await confirm()).toEqual({ ok: false, refusal: { reason: "quote-moved" } });
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
  expect(refusal).toEqual({ ok: false, refusal: { reason: "provider-refused", code: "next-period-only" } });
  expect((await harness.stripe.subscriptions.retrieve(subscriptionId)).schedule).not.toBeNull();
  expect(await offer()).toMatchObject({ kind: "later" });
});
