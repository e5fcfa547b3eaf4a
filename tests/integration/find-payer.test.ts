import { expect, test } from "vitest";
import { openTill } from "#tests/support/till.ts";

test("a payment, a charge, a refund and a dispute each lead to the customer who paid", async () => {
  const till = await openTill();
  const order = await till.buy();
  await till.settle();
  await till.control("refund", { order, amountMinor: 100 });
  await till.control("dispute", { order });
  const [charge] = (await till.stripe.charges.list()).data;
  const [refund] = (await till.stripe.refunds.list()).data;
  const [dispute] = (await till.stripe.disputes.list()).data;
  if (!charge || !refund || !dispute) throw new Error("Nothing was paid, refunded or disputed");
  for (const id of [String(charge.payment_intent), charge.id, refund.id, dispute.id]) {
    const found = await till.payments.findPayer(id);
    expect([id, found]).toEqual([id, { ok: true, value: charge.customer }]);
  }
  for (const id of ["pi_none", "ch_none", "re_none", "du_none"]) {
    expect(await till.payments.findPayer(id)).toMatchObject({ ok: false, refusal: { code: "resource_missing" } });
  }
});
