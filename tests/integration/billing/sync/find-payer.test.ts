import { expect, test } from "vitest";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

test("a payment, a charge, a refund and a dispute each lead to the customer who paid", async () => {
  const harness = await openBillingHarness();
  const order = await harness.buy();
  await harness.reconcile();
  await harness.control("refund", { order, amountMinor: 100 });
  await harness.control("dispute", { order });
  const [charge] = (await harness.stripe.charges.list()).data;
  const [refund] = (await harness.stripe.refunds.list()).data;
  const [dispute] = (await harness.stripe.disputes.list()).data;
  if (!charge || !refund || !dispute) throw new Error("Nothing was paid, refunded or disputed");
  for (const id of [String(charge.payment_intent), charge.id, refund.id, dispute.id]) {
    const found = await harness.payments.findPayer(id);
    expect([id, found]).toEqual([id, { ok: true, value: charge.customer }]);
  }
  for (const id of ["pi_none", "ch_none", "re_none", "du_none"]) {
    expect(await harness.payments.findPayer(id)).toMatchObject({ ok: false, refusal: { code: "resource_missing" } });
  }
});
