import type Stripe from "stripe";
import { expect, test } from "vitest";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { readInvoice } from "#app/integrations/stripe/payments/invoices.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

async function change(harness: BillingHarness, planId: string, interval: Interval) {
  const running = await findRunningSubscription(harness.app.db, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const buyer = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
  const offer = await offerChange(harness.app, buyer, { planId, interval });
  if (!("quote" in offer)) throw new Error(offer.kind);
  return startChange(harness.app, await harness.account(), { planId, interval, quote: offer.quote });
}

const newest = async (harness: BillingHarness) => {
  const [invoice] = (await harness.stripe.invoices.list({ limit: 1 })).data;
  if (!invoice) throw new Error("No invoice");
  return invoice;
};
const called = (invoice: Stripe.Invoice, billing_reason: Stripe.Invoice.BillingReason) =>
  readInvoice({ ...invoice, billing_reason }).billingReason;

test("the first month after a year is a renewal, whichever reason Stripe bills it for", async () => {
  const harness = await openBillingHarness();
  await harness.buy(large.id, "year");
  await harness.reconcile();
  await change(harness, small.id, "month");
  await harness.pass(366);
  await harness.reconcile();
  const invoice = await newest(harness);
  expect(invoice.amount_paid).toBe(minor(small));
  expect(called(invoice, "subscription_cycle")).toBe("renewal");
  expect(called(invoice, "subscription_update")).toBe("renewal");
  expect((await harness.rows()).orders.at(-1)).toMatchObject({ kind: "renewal", plan_id: small.id, interval: "month" });
});

test.each([
  [large.id, "month"],
  [small.id, "year"],
] as const)("an immediate change to %s by the %s still counts as a change", async (planId, interval) => {
  const harness = await openBillingHarness();
  await harness.buy(small.id, "month");
  await harness.reconcile();
  await harness.pass(9);
  await change(harness, planId, interval);
  const invoice = await newest(harness);
  expect([invoice.billing_reason, readInvoice(invoice).billingReason]).toEqual(["subscription_update", "change"]);
});
