import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { devicesMessages } from "#app/routes/settings/devices/messages.ts";
import { gettingStartedMessages } from "#app/routes/settings/overview/getting-started.messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { expectFocusIn, section } from "#tests/browser/support/sections.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, reauthenticate, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies, outdateReauthentications } from "#tests/browser/support/visitors.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { activateDevice, signUp } from "#tests/support/clients/customers.ts";

useSiteAndBrowser({ stripe: false });

const account = pages.account;
const { devices, key } = devicesMessages.en;
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
      await section(page, key.title).getByText(rootMessages.en.flash["key-rotated"]).waitFor();
      const second = await keyField(page).inputValue();
      expect(second).not.toBe(first);
      expect([await activate(first, "Laptop"), await activate(second, "Laptop")]).toEqual([401, 201]);

      await open(browsing, `${site.origin}/settings`);
      await section(page, overviewMessages.en.devices.title)
        .getByText(overviewMessages.en.devices.used(1, 1))
        .waitFor();
      expect(await section(page, gettingStartedMessages.en.title(product.name)).count()).toBe(0);
      await page.getByRole("link", { name: overviewMessages.en.devices.see }).press("Enter");
      await page.waitForURL(`**${account}`);
      await page.getByRole(javaScript ? "button" : "link", { name: `${devices.remove} Laptop` }).press("Enter");
      await page.getByRole("button", { name: devices.removeNow }).press("Enter");
      await section(page, devices.title).getByText(rootMessages.en.flash["device-removed"]).waitFor();
      await expectFocusIn(page, devices.title);
      await section(page, devices.title).getByText(devicesMessages.en.none.title).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a device that is already removed is reported by a page that was still open", async () => {
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
