import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { paymentMessages, paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { orderDetailMessages } from "#app/routes/settings/orders/order/messages.ts";
import { gettingStartedMessages } from "#app/http/page/getting-started.messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import {
  enterCode,
  goToCheckout,
  leaveCheckout,
  payByCard,
  signUpForSmall,
  withBrowser,
} from "#tests/browser/support/steps.ts";
import { pattern, small } from "#tests/support/billing/catalogue.ts";
import { DECLINED } from "stripe-emulator/facts";

useSiteAndBrowser();

/** The same bodies twice: nothing in them knows whether a script runs. */
describe.each(javaScriptModes)("the journey $mode", ({ javaScript }) => {
  const address = (name: string) => `${name}-${javaScript ? "js" : "plain"}@example.com`;

  test("leads from the first visit to sign-up, verification, payment, order, plan and product, to signing out and in again", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const mara = address("mara");
      const page = await signUpForSmall(browsing, site, mara);
      await expectHeading(page, upgradeMessages.en.confirm.title(small.name));
      await goToCheckout(page);
      expect(new URL(page.url()).origin).toBe(site.stripe?.origin);
      await payByCard(page, "4242 4242 4242 4242");
      await page.waitForURL("**/payment/success?order=ord_**");
      await expectHeading(page, paymentMessages.en.pages["new-plan"].success.title);
      await browsing.alive();

      await page.getByRole("link", { name: paymentMessages.en.success.receipt }).click();
      await page.waitForURL("**/settings/orders/ord_**");
      await page
        .getByRole("heading", {
          name: fillGaps(orderDetailMessages.en.title.numbered(gap), pattern`${new Date().getUTCFullYear()}-\d+`),
        })
        .waitFor();
      await page.getByRole("link", { name: settingsMessages.en.plan, exact: true }).click();
      await page.getByText(planMessages.en.lead(small.name)).waitFor();
      await page.getByText(fillGaps(planMessages.en.cardText("Visa ••••\u00a04242", gap))).waitFor();
      await page
        .getByRole("navigation", { name: settingsMessages.en.label })
        .getByRole("link", { name: settingsMessages.en.overview })
        .click();
      await page.getByRole("heading", { name: gettingStartedMessages.en.title(product.name) }).waitFor();
      const [{ label, href }] = product.start.downloads;
      expect(await page.getByRole("link", { name: label }).getAttribute("href")).toBe(href);

      await page.getByRole("button", { name: rootMessages.en.signOut, exact: true }).click();
      await page.waitForURL(`${site.origin}/`);
      await page.goto(`${site.origin}/settings`);
      await page.waitForURL("**/login?redirectTo=%2Fsettings");
      await browsing.alive();
      await page.getByLabel(loginMessages.en.email).fill(mara);
      await page.getByRole("button", { name: loginMessages.en.submit }).click();
      await page.waitForURL("**/verify**");
      // The third email: a code, the receipt, and now this. A known browser, so the time between two emails doesn't
      // count.
      await enterCode(page, await site.codeTo(mara, 3), "sign-in");
      await page.waitForURL(`${site.origin}/settings`);
      await page.getByText(overviewMessages.en.lead(mara)).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("returns from the hosted page to cancelled, from where the payment can still be made", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await signUpForSmall(browsing, site, address("nils"));
      await goToCheckout(page);
      await leaveCheckout(page);
      await page.waitForURL("**/payment/cancelled?order=ord_**");
      await expectHeading(page, paymentMessages.en.pages["new-plan"].open.title);
      await browsing.alive();
      await page.getByRole("link", { name: paymentMessages.en.again.open }).click();
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await goToCheckout(page);
      await payByCard(page, "4242424242424242");
      await page.waitForURL("**/payment/success?order=ord_**");
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("continues on a working page after the browser's own back button", async () => {
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

  test("returns to failed after a decline, with a reason and a way to try again that can succeed", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await signUpForSmall(browsing, site, address("olga"));
      await goToCheckout(page);
      await payByCard(page, "4000000000000002");
      await page.getByText(DECLINED.message).waitFor();
      await leaveCheckout(page);
      await page.waitForURL("**/payment/failed?order=ord_**");
      await expectHeading(page, paymentMessages.en.pages["new-plan"].failed.title);
      await page.getByText(paymentReasonsMessages.en.declined).waitFor();
      await browsing.alive();
      await page.getByRole("link", { name: paymentMessages.en.again.same }).click();
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await goToCheckout(page);
      await payByCard(page, "4242424242424242");
      await page.waitForURL("**/payment/success?order=ord_**");
      expect(browsing.troubles).toEqual([]);
    });
  });
});

async function expectHeading(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual([title]);
}
