import type Stripe from "stripe";
import { expect, test } from "vitest";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/plan-changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import type { Interval } from "#app/modules/catalogue/rules.ts";
import { readInvoice } from "#app/integrations/stripe/invoices.ts";
import { large, minor, small } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";

async function change(till: Till, planId: string, interval: Interval) {
  const running = await findRunningSubscription(till.app.db, till.accountId);
  if (!running) throw new Error("Nothing runs");
  const standing = { accountId: till.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
  const offer = await offerChange(till.app, standing, { planId, interval });
  if (!("quote" in offer)) throw new Error(offer.kind);
  return startChange(till.app, await till.account(), { planId, interval, quote: offer.quote });
}

const newest = async (till: Till) => {
  const [invoice] = (await till.stripe.invoices.list({ limit: 1 })).data;
  if (!invoice) throw new Error("No invoice");
  return invoice;
};
const called = (invoice: Stripe.Invoice, billing_reason: Stripe.Invoice.BillingReason) =>
  readInvoice({ ...invoice, billing_reason }).cause;

test("the first month after a year is a renewal, by whichever reason Stripe bills it", async () => {
  const till = await openTill();
  await till.buy(large.id, "year");
  await till.settle();
  await change(till, small.id, "month");
  await till.pass(366);
  await till.settle();
  const invoice = await newest(till);
  expect(invoice.amount_paid).toBe(minor(small));
  expect(called(invoice, "subscription_cycle")).toBe("renewal");
  expect(called(invoice, "subscription_update")).toBe("renewal");
  expect((await till.rows()).orders.at(-1)).toMatchObject({ kind: "renewal", plan_id: small.id, interval: "month" });
});

test.each([
  [large.id, "month"],
  [small.id, "year"],
] as const)("a change of now to %s by the %s stays a change", async (planId, interval) => {
  const till = await openTill();
  await till.buy(small.id, "month");
  await till.settle();
  await till.pass(9);
  await change(till, planId, interval);
  const invoice = await newest(till);
  expect([invoice.billing_reason, readInvoice(invoice).cause]).toEqual(["subscription_update", "change"]);
});
