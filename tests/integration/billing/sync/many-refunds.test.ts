import { expect, test } from "vitest";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

test("a charge of which more refunds were made than Stripe's charge contains has a credit note for each", async () => {
  const harness = await openBillingHarness();
  const order = await harness.buy();
  await harness.reconcile();
  for (let made = 0; made < 12; made += 1) await harness.control("refund", { order, amountMinor: 10 + made });
  const [charge] = (await harness.stripe.charges.list({ expand: ["data.refunds"] })).data;
  expect([charge?.refunds?.data.length, charge?.refunds?.has_more]).toEqual([10, true]);
  await harness.reconcile();
  const { documents, orders } = await harness.rows();
  const notes = documents.filter(({ kind }) => kind === "credit-note").map(({ total_minor: total }) => Number(total));
  expect(notes.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 12 }, (_, made) => 10 + made));
  expect(orders[0]?.["refunded_minor"]).toBe(notes.reduce((sum, amount) => sum + amount, 0));
});
