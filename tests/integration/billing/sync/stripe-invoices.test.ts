import { beforeEach, describe, expect, test } from "vitest";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { stripeInvoiceFooter } from "#app/modules/billing/subscriptions/commands/sync-customer-details.server.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

let harness: BillingHarness;
beforeEach(async () => {
  harness = await openBillingHarness();
});

/** Newest first. */
const feet = async () => (await harness.stripe.invoices.list()).data.map(({ footer }) => footer);

describe("Stripe's own invoice says that ours is another one, and where it is", () => {
  test("from the first purchase on", async () => {
    await harness.buy();
    const foot = stripeInvoiceFooter(harness.app);
    expect(await feet()).toEqual([foot]);
    expect(foot).toContain(`${harness.app.origin}/settings/orders`);
  });

  test("of a customer from before, once they are synced", async () => {
    await harness.buy();
    await harness.stripe.customers.update(await harness.customerId(), { invoice_settings: { footer: "" } });
    await harness.pass(32);
    await harness.reconcile();
    await harness.pass(31);
    const [newest, renewal] = await feet();
    expect([newest, renewal]).toEqual([stripeInvoiceFooter(harness.app), null]);
    // Not asked for again once it is there.
    const never = () => Promise.reject(new Error("changed again"));
    expect(
      await harness.reconcile({ ...harness.app, payments: { ...harness.payments, changeDetails: never } }),
    ).toMatchObject({ ok: true });
  });

  test("of a customer that the team created in the dashboard", async () => {
    const { email } = await harness.account();
    const { id } = await harness.stripe.customers.create({ email });
    const [price] = (await harness.stripe.prices.list({ lookup_keys: [priceKey(small.id, "month")] })).data;
    await harness.stripe.subscriptions.create({
      customer: id,
      items: [{ price: price?.id ?? "" }],
      trial_period_days: 30,
    });
    for (const event of await harness.events()) await harness.hear(event);
    const customer = await harness.stripe.customers.retrieve(id);
    expect(customer.deleted ? null : customer.invoice_settings.footer).toBe(stripeInvoiceFooter(harness.app));
  });
});
