import { afterAll, expect, test } from "vitest";
import { DONE } from "../../src/pages/control-page.ts";
import { buy, openCheckout, setUpStripeEmulator } from "../driver.ts";
import { findings, startChromium } from "./chromium.ts";

const [local, chromium] = await Promise.all([setUpStripeEmulator(), startChromium()]);
afterAll(() => chromium.close());

/** One of everything that these pages can show. */
async function furnish(): Promise<Record<string, string>> {
  const { stripe } = local;
  const refunded = await buy(local);
  await local.control("refund", { order: refunded.charge.id, amountMinor: 150 });
  const owing = await buy(local, "4000000000000341");
  await local.control("dispute", { order: owing.charge.id });
  await local.control("clock", { advanceDays: 32 });
  await local.control("secret", { keepHours: 24 });
  await stripe.customers.createTaxId(refunded.customer.id, { type: "eu_vat", value: "DE123456789" });
  const { session } = await openCheckout(stripe, {
    billing_address_collection: "required",
    tax_id_collection: { enabled: true },
    customer_update: { name: "auto" },
  });
  const configuration = await stripe.billingPortal.configurations.create({
    features: {
      customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
      payment_method_update: { enabled: true },
    },
  });
  const portal = await stripe.billingPortal.sessions.create({
    customer: refunded.customer.id,
    configuration: configuration.id,
    return_url: local.origin,
  });
  const newest = async (customer: string) =>
    String((await stripe.invoices.list({ customer, limit: 1 })).data[0]?.hosted_invoice_url);
  return {
    home: `${local.origin}/`,
    control: `${local.origin}/control`,
    checkout: String(session.url),
    portal: portal.url,
    "open invoice": await newest(owing.customer.id),
    receipt: await newest(refunded.customer.id),
  };
}

test("every page of the Stripe emulator fits on a phone, in light and in dark, and passes axe", async () => {
  const places = await furnish();
  const page = await chromium.newPage({ viewport: { width: 390, height: 844 } });
  for (const [place, url] of Object.entries(places)) {
    await page.goto(url);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ place, fits: wide <= 390 }).toEqual({ place, fits: true });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ place, colorScheme, found: await findings(page) }).toEqual({ place, colorScheme, found: [] });
    }
  }
});

test("without JavaScript, the buttons refund, dispute, move the clock and send an event again", async () => {
  const { charge } = await buy(local);
  const page = await chromium.newPage({ javaScriptEnabled: false });
  await page.goto(`${local.origin}/control`);
  const payment = page.getByRole("group").filter({ has: page.locator(`#amount-${charge.id}`) });
  await payment.getByLabel(/^Refund, at most/).fill("1,50");
  await payment.getByRole("button", { name: "Refund" }).click();
  expect(await page.getByRole("status").textContent()).toContain(DONE.refund);
  await payment.getByRole("button", { name: "Open a dispute" }).click();
  await page.getByRole("button", { name: "Decide: won" }).first().click();
  await page.getByRole("button", { name: "A day", exact: true }).click();
  expect(await page.getByRole("status").textContent()).toContain(DONE.clock);
  await page
    .getByRole("button", { name: /^Send again/ })
    .first()
    .click();
  expect(await page.getByRole("status").textContent()).toContain(DONE.resend);
  expect(await local.stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 150, disputed: true });
  expect((await local.stripe.disputes.list({ charge: charge.id })).data).toMatchObject([{ status: "won" }]);
});
