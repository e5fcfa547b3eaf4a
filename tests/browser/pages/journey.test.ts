import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { goToCheckout, mailedCode, payByCard, signUpForSmall, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

/** The same bodies twice: nothing in them knows whether a script runs. */
describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("the journey $mode", ({ javaScript }) => {
  const address = (name: string) => `${name}-${javaScript ? "js" : "plain"}@example.com`;

  test("visit, sign up, verify, pay, see the order and the plan, get the product, sign out, sign in again", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const mara = address("mara");
      const page = await signUpForSmall(browsing, site, mara);
      await expectHeading(page, `Start ${small.name}`);
      await goToCheckout(page);
      expect(new URL(page.url()).origin).toBe(site.stripe?.origin);
      await payByCard(page, "4242 4242 4242 4242");
      await page.waitForURL("**/payment/success?order=ord_**");
      await expectHeading(page, "Thank you, it is paid");
      await browsing.alive();

      await page.getByRole("link", { name: "See the order and its receipt" }).click();
      await page.waitForURL("**/settings/orders?order=ord_**");
      await page.getByRole("heading", { name: `Order ${new Date().getUTCFullYear()}-` }).waitFor();
      await page.getByRole("link", { name: "Plan", exact: true }).click();
      await page.getByText(`You are on ${small.name}`).waitFor();
      await page.getByText("Visa ending in 4242").waitFor();
      await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Overview" }).click();
      await page.getByRole("heading", { name: `Get ${product.name}` }).waitFor();
      const [{ label, href }] = product.start.downloads;
      expect(await page.getByRole("link", { name: label }).getAttribute("href")).toBe(href);

      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL(`${site.origin}/`);
      await page.goto(`${site.origin}/settings`);
      await page.waitForURL("**/login?redirectTo=%2Fsettings");
      await browsing.alive();
      await page.getByLabel("E-mail").fill(mara);
      await page.getByRole("button", { name: "Send me a code" }).click();
      await page.waitForURL("**/verify**");
      // The third email: a code, the receipt, and now this. A known browser, so the time between two emails doesn't
      // count.
      await page.getByLabel("Code").fill(await mailedCode(site, mara, 3));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${site.origin}/settings`);
      await page.getByText(`Signed in as ${mara}`).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("going back from the hosted page ends on cancelled, and from there the payment can still be made", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await signUpForSmall(browsing, site, address("nils"));
      await goToCheckout(page);
      await page.getByRole("link", { name: "Back without paying" }).click();
      await page.waitForURL("**/payment/cancelled?order=ord_**");
      await expectHeading(page, "Nothing was charged");
      await browsing.alive();
      await page.getByRole("link", { name: "Go on to the payment" }).click();
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await goToCheckout(page);
      await payByCard(page, "4242424242424242");
      await page.waitForURL("**/payment/success?order=ord_**");
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("the browser's own back button leaves a page that still works", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await signUpForSmall(browsing, site, address("nora"));
      await goToCheckout(page);
      await page.goBack();
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await goToCheckout(page);
      await payByCard(page, "4242424242424242");
      await page.waitForURL("**/payment/success?order=ord_**");
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("after a decline the way back ends on failed, with a reason and a way to try again that can succeed", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await signUpForSmall(browsing, site, address("olga"));
      await goToCheckout(page);
      await payByCard(page, "4000000000000002");
      await page.getByText("Your card was declined").waitFor();
      await page.getByRole("link", { name: "Back without paying" }).click();
      await page.waitForURL("**/payment/failed?order=ord_**");
      await expectHeading(page, "The payment did not go through");
      await page.getByText("Your bank declined the card").waitFor();
      await browsing.alive();
      await page.getByRole("link", { name: "Try again" }).click();
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await goToCheckout(page);
      await payByCard(page, "4242424242424242");
      await page.waitForURL("**/payment/success?order=ord_**");
      expect(browsing.troubles).toEqual([]);
    });
  });
});

async function expectHeading(page: Page, messages: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: messages }).waitFor();
  expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual([messages]);
}
