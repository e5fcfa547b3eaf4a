import { readFile } from "node:fs/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, test } from "vitest";
import { fileNamePart } from "#app/core/text/file-name.ts";
import { product } from "#app/product/config.ts";
import { pattern, small } from "#tests/support/billing/catalogue.ts";
import { lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
] as const)("%s", (name, javaScript) => {
  test("a user downloads the data export, reads what ends, closes the account, and restores it", async () => {
    const address = `${javaScript ? "with" : "without"}@example.com`;
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(await payer(site, address, "paid"), browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download my data" }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(pattern`^${fileNamePart(product.name)}-data-\d{4}-\d\d-\d\d\.json$`);
      const data = JSON.parse(await readFile(await download.path(), "utf8")) as { account: { email: string } };
      expect(data.account.email).toBe(address);

      const close = page.getByRole("button", { name: "Close it now" });
      expect(await close.isVisible()).toBe(false);
      await page.locator("summary", { hasText: "Close my account" }).press("Enter");
      await close.waitFor();
      await page.getByText(`Your ${small.name} plan.`).waitFor();
      if (javaScript) {
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().include("#leaving").analyze();
        expect(violations.map(({ id }) => id)).toEqual([]);
      }
      await close.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Your account is closed" }).waitFor();
      const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
      expect(await links.allTextContents()).toEqual(["Overview", "Orders"]);

      await page.getByRole("button", { name: "Restore my account" }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "You", exact: true }).waitFor();
      expect(await links.count()).toBe(7);
      expect({ name, troubles: browsing.troubles }).toEqual({ name, troubles: [] });
    });
  });
});
