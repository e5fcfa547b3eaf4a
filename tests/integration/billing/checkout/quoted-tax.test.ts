import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { change } from "#tests/support/billing/contracts.ts";

const toLarge = { planId: large.id, interval: "month" } as const;

test.each([
  ["a fixed rate", { rate: 19, name: "VAT" }],
  ["an exempt seller", { exempt: "No VAT is charged." }],
] as const)("%s: the quote of a change names the tax that the invoice has", async (_, tax) => {
  const harness = await openBillingHarness({ ...product, tax });
  await harness.buy();
  await harness.reconcile();
  await harness.pass(10);
  const { app, accountId } = harness;
  const { offer } = await offerPlan(app, accountId, await findBuyer(app, accountId), toLarge);
  if (offer?.kind !== "now") throw new Error(`Offered: ${offer?.kind}`);
  expect(await change(harness, toLarge)).toMatchObject({ ok: true });
  await harness.reconcile();
  const taxes = (await harness.rows()).documents.map(({ tax_minor: taxMinor }) => Number(taxMinor));
  expect(taxes).toHaveLength(2);
  expect(Math.abs((taxes[1] ?? 0) - offer.charge.taxMinor)).toBeLessThanOrEqual(1);
  expect(offer.charge.taxMinor > 0).toBe("rate" in tax);
});
