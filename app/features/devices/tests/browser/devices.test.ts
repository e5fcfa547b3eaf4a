import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { devicesFeatureMessages } from "../../feature.messages.ts";
import { devicesMessages } from "../../page/messages.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import { gettingStartedMessages } from "#app/http/page/getting-started.messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { expectFocusIn, section } from "#tests/browser/support/sections.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, reauthenticate, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies, outdateReauthentications } from "#tests/browser/support/visitors.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { activateDevice, licenceKeyOf, signUp } from "#tests/support/clients/customers.ts";

useSiteAndBrowser({ stripe: false });

const account = pages.account;
const { devices, key, rename } = devicesMessages.en;
const keyField = (page: Page) => page.getByLabel(key.label);

const activate = async (licenceKey: string, name: string) => (await activateDevice(site, licenceKey, name)).status;

describe.each(javaScriptModes)("$mode", ({ javaScript }) => {
  test("the key is shown after a re-authentication, hidden again, and replaced; devices are added, listed and removed", async () => {
    const address = `devices-${javaScript}@example.com`;
    const mara = await signUp(site, address);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, site.origin + account);
      await section(page, devices.title).getByText(devicesMessages.en.none.title).waitFor();
      await section(page, gettingStartedMessages.en.title(product.name)).waitFor();
      expect(await keyField(page).count()).toBe(0);

      await page.getByRole("button", { name: key.show }).press("Enter");
      await keyField(page).waitFor();
      await expectFocusIn(page, key.title);
      const first = await keyField(page).inputValue();
      expect(await activate(first, "Laptop")).toBe(201);
      expect(await activate(first, "Another")).toBe(409);
      await page.getByRole("link", { name: key.hide }).press("Enter");
      await page.getByRole("button", { name: key.show }).waitFor();
      expect(await page.content()).not.toContain(first);

      await outdateReauthentications(site);
      await open(browsing, `${site.origin}${account}?key`);
      expect(await keyField(page).count()).toBe(0);
      await page.getByRole("button", { name: key.show }).press("Enter");
      await reauthenticate(browsing, site, address, 2);
      await section(page, key.title).getByText(devicesMessages.en.proven).waitFor();
      expect(await keyField(page).inputValue()).toBe(first);

      await outdateReauthentications(site);
      await page.getByRole(javaScript ? "button" : "link", { name: key.replace }).press("Enter");
      await page.getByRole("button", { name: key.replaceNow }).press("Enter");
      await reauthenticate(browsing, site, address, 3);
      // The confirmation appears again, in front of the page.
      await page.getByRole("button", { name: key.replaceNow }).press("Enter");
      await section(page, key.title).getByText(devicesFeatureMessages.en.flashes["key-rotated"]).waitFor();
      const second = await keyField(page).inputValue();
      expect(second).not.toBe(first);
      expect([await activate(first, "Laptop"), await activate(second, "Laptop")]).toEqual([401, 201]);

      await open(browsing, `${site.origin}/settings`);
      const used = page.getByRole("meter", { name: devicesFeatureMessages.en.counted.label });
      expect(await used.getAttribute("aria-valuetext")).toBe(usageMessages.en.last("1", "1"));
      expect(await section(page, gettingStartedMessages.en.title(product.name)).count()).toBe(0);
      await page.getByRole("link", { name: devicesFeatureMessages.en.pages.account.menu }).press("Enter");
      await page.waitForURL(`**${account}`);
      await page.getByRole(javaScript ? "button" : "link", { name: `${rename.open} Laptop` }).press("Enter");
      await page.getByRole("dialog").getByLabel(rename.label).fill("  The blue one ");
      await page.getByRole("button", { name: rename.button }).press("Enter");
      await section(page, devices.title).getByText(devicesFeatureMessages.en.flashes["device-renamed"]).waitFor();
      await page.getByRole(javaScript ? "button" : "link", { name: `${rename.open} The blue one` }).press("Enter");
      await page.getByRole("dialog").getByLabel(rename.label).fill("");
      await page.getByRole("button", { name: rename.button }).press("Enter");
      await page.getByRole("rowheader", { name: "Laptop" }).waitFor();

      await page.getByRole(javaScript ? "button" : "link", { name: `${devices.remove} Laptop` }).press("Enter");
      await page.getByRole("button", { name: devices.removeNow }).press("Enter");
      await section(page, devices.title).getByText(devicesFeatureMessages.en.flashes["device-removed"]).waitFor();
      await expectFocusIn(page, devices.title);
      await section(page, devices.title).getByText(devicesMessages.en.none.title).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a page that was still open reports a device that is already removed", async () => {
  const mara = await signUp(site, "gone@example.com");
  const page = await mara.post({ intent: "remove-device", device: "dev_gone" }, account);
  expect([page.status, page.text()]).toEqual([
    404,
    expect.stringContaining(devicesMessages.en.problems["device-unknown"]),
  ]);
});

test("the key is copied with a click", async () => {
  const mara = await (await signUp(site, "copies@example.com")).open(account);
  await mara.press(key.show);
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(mara, browsing, site.origin);
    await browsing.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open(browsing, `${site.origin}${account}?key`);
    await page.getByRole("button", { name: key.copy }).click();
    await page.getByRole("button", { name: key.copied }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await keyField(page).inputValue());
  });
});

test.each(["while it is pressed", "after it was clicked"])(
  "a click on Remove opens its dialog if the page becomes interactive %s",
  async (when) => {
    const mara = await signUp(site, `early-${when.length}@example.com`);
    await activate(await licenceKeyOf(mara), "Laptop");
    await withBrowser(chromium, {}, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const { page, context, alive } = browsing;
      const held: (() => void)[] = [];
      let isHeld = true;
      await context.route("**/*.js", async (route) => {
        if (isHeld) await new Promise<void>((release) => held.push(release));
        await route.continue();
      });
      await page.goto(site.origin + account, { waitUntil: "commit" });
      const remove = page.getByRole("link", { name: `${devices.remove} Laptop` });
      await remove.hover();
      await page.mouse.down();
      if (when === "after it was clicked") {
        await page.mouse.up();
        await page.getByRole("dialog").waitFor();
      }
      isHeld = false;
      for (const release of held) release();
      await alive();
      await page.mouse.up();
      const dialog = page.getByRole("dialog");
      await expect.poll(() => dialog.evaluate((shown) => shown.matches(":modal"))).toBe(true);
      await dialog.getByRole("button", { name: devices.keep }).press(" ");
      await expect.poll(() => dialog.count()).toBe(0);
      await page.getByRole("button", { name: `${devices.remove} Laptop` }).press(" ");
      await dialog.getByRole("button", { name: devices.removeNow }).press("Enter");
      await section(page, devices.title).getByText(devicesFeatureMessages.en.flashes["device-removed"]).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  },
);
