import { readFile } from "node:fs/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, test } from "vitest";
import { fileNamePart } from "#app/core/text/file-name.ts";
import { product } from "#app/product/config.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { pattern, small } from "#tests/support/billing/catalogue.ts";
import { beginningOf, gap } from "#tests/support/clients/message-patterns.ts";

useSiteAndBrowser();

describe.each(javaScriptModes)("$mode", ({ mode, javaScript }) => {
  test("a user downloads the data export, reads what ends, closes the account, and restores it", async () => {
    const address = `deletes-${javaScript}@example.com`;
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(await payer(site, address, "paid"), browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/data`);

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: accountClosingMessages.en.data.button }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(pattern`^${fileNamePart(product.name)}-data-\d{4}-\d\d-\d\d\.json$`);
      const data = JSON.parse(await readFile(await download.path(), "utf8")) as { account: { email: string } };
      expect(data.account.email).toBe(address);

      const close = page.getByRole("button", { name: accountClosingMessages.en.close.button });
      expect(await close.isVisible()).toBe(false);
      await page.locator("summary", { hasText: accountClosingMessages.en.close.open }).press("Enter");
      await close.waitFor();
      await page.getByText(beginningOf(accountClosingMessages.en.close.plan(small.name, gap))).waitFor();
      if (javaScript) {
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().include("#leaving").analyze();
        expect(violations.map(({ id }) => id)).toEqual([]);
      }
      await close.press("Enter");
      await page.getByRole("heading", { level: 1, name: accountClosingMessages.en.page.title }).waitFor();
      const links = page.getByRole("navigation", { name: settingsMessages.en.label }).getByRole("link");
      expect(await links.allTextContents()).toEqual([settingsMessages.en.overview, settingsMessages.en.orders]);

      await page.getByRole("button", { name: accountClosingMessages.en.page.button }).press("Enter");
      await page.getByRole("heading", { level: 1, name: overviewMessages.en.title, exact: true }).waitFor();
      expect(await links.count()).toBe(11);
      expect({ mode, troubles: browsing.troubles }).toEqual({ mode, troubles: [] });
    });
  });
});
