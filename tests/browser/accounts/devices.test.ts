import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { customer, lendCookies } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { type Browsing, mailedCode, open, withBrowser } from "#tests/browser/support/steps.ts";
import { product } from "#app/product/config.ts";
import { pages } from "#tests/support/billing/catalogue.ts";

useSiteAndBrowser({ stripe: false });

const account = pages.account;
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const keyField = (page: Page) => page.getByLabel("Your licence key");

/** Where the focus is, for keyboards and screen readers. */
async function standsIn(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      // The result is shown in the section that it is about.
      const place = activeElement?.matches(".flash") ? activeElement.closest("section") : activeElement;
      return place?.querySelector("h2")?.textContent ?? "nothing";
    });
  await expect.poll(focused, { interval: 50 }).toBe(name);
}

async function activate(licenceKey: string, name: string): Promise<number> {
  const body = JSON.stringify({ licenceKey, fingerprint: name, name, platform: "Linux" });
  const headers = { "Content-Type": "application/json" };
  return (await site.fetch("/api/v1/devices", { method: "POST", headers, body })).status;
}

async function outdateReauthentications(): Promise<void> {
  const database = await site.database();
  await database.exec("update sessions set proven_at = proven_at - 900000; delete from codes; delete from budget_uses");
}

async function confirm(browsing: Browsing, address: string, nth: number): Promise<void> {
  await browsing.page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
  await browsing.page.getByLabel("Code").fill(await mailedCode(site, address, nth));
  await browsing.page.getByRole("button", { name: "Confirm" }).click();
  await browsing.page.waitForURL(`**${account}**`);
  await browsing.alive();
}

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("$mode", ({ javaScript }) => {
  test("the key is shown after a re-authentication, hidden again, and replaced; devices are added, listed and removed", async () => {
    const address = `devices-${javaScript}@example.com`;
    const mara = await customer(site, address);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, site.origin + account);
      await part(page, "Devices").getByText("No device yet").waitFor();
      await part(page, `Get ${product.name}`).waitFor();
      expect(await keyField(page).count()).toBe(0);

      await page.getByRole("button", { name: "Show the key" }).press("Enter");
      await keyField(page).waitFor();
      await standsIn(page, "Licence key");
      const first = await keyField(page).inputValue();
      expect(await activate(first, "Laptop")).toBe(201);
      expect(await activate(first, "Another")).toBe(409);
      await page.getByRole("link", { name: "Hide the key" }).press("Enter");
      await page.getByRole("button", { name: "Show the key" }).waitFor();
      expect(await page.content()).not.toContain(first);

      await outdateReauthentications();
      await open(browsing, `${site.origin}${account}?key`);
      expect(await keyField(page).count()).toBe(0);
      await page.getByRole("button", { name: "Show the key" }).press("Enter");
      await confirm(browsing, address, 2);
      await part(page, "Licence key").getByText("Thank you. Here is your licence key.").waitFor();
      expect(await keyField(page).inputValue()).toBe(first);

      await outdateReauthentications();
      await page.getByRole(javaScript ? "button" : "link", { name: "Replace the key" }).press("Enter");
      await page.getByRole("button", { name: "Replace it now" }).press("Enter");
      await confirm(browsing, address, 3);
      // The confirmation appears again, in front of the page.
      await page.getByRole("button", { name: "Replace it now" }).press("Enter");
      await part(page, "Licence key").getByText("This is your new licence key.").waitFor();
      const second = await keyField(page).inputValue();
      expect(second).not.toBe(first);
      expect([await activate(first, "Laptop"), await activate(second, "Laptop")]).toEqual([401, 201]);

      await open(browsing, `${site.origin}/settings`);
      await part(page, "Devices").getByText("1 of 1 seat used.").waitFor();
      expect(await part(page, `Get ${product.name}`).count()).toBe(0);
      await page.getByRole("link", { name: "See your devices" }).press("Enter");
      await page.waitForURL(`**${account}`);
      await page.getByRole(javaScript ? "button" : "link", { name: "Remove Laptop" }).press("Enter");
      await page.getByRole("button", { name: "Remove this device" }).press("Enter");
      await part(page, "Devices").getByText("The device is removed, and takes no seat any more.").waitFor();
      await standsIn(page, "Devices");
      await part(page, "Devices").getByText("No device yet").waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a device that is already removed is reported by a page that was still open", async () => {
  const mara = await customer(site, "gone@example.com");
  const page = await mara.post({ intent: "remove-device", device: "dev_gone" }, account);
  expect([page.status, page.text()]).toEqual([404, expect.stringContaining("That device has already been removed.")]);
});

test("the key is copied with a click", async () => {
  const mara = await (await customer(site, "copies@example.com")).open(account);
  await mara.press("Show the key");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(mara, browsing, site.origin);
    await browsing.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open(browsing, `${site.origin}${account}?key`);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await keyField(page).inputValue());
  });
});
