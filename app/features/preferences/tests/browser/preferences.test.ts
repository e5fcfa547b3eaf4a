import { preferencesFeatureMessages } from "../../feature.messages.ts";
import { describe, expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { preferencesMessages } from "../../page/messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import { deviceOwner, lendCookies } from "#tests/browser/support/visitors.ts";
import { preferencesOf } from "../../preferences.rules.ts";
import { chosenPreferences, preferencesOfDevice, preferencesPage } from "../samples.ts";

useSiteAndBrowser({ stripe: false });

const config: ProductConfig = product;
const chosen = preferencesOf(config).find(({ kind }) => kind !== "switch");
const key = chosen?.key ?? "";
/** Neither the default nor what the device chose. */
const third =
  chosen?.kind === "choice"
    ? (chosen.options.find(({ value }) => ![chosen.default, preferencesOfDevice[key]].includes(value))?.value ?? "none")
    : String(chosen?.kind === "number" ? chosen.min + 1 : "none");

test("of two open pages, the second keeps its own choices, shows the current values, accepts untouched ones, or discards its own", async () => {
  const anna = await deviceOwner(site, "two-pages@example.com");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(anna, browsing, site.origin);
    const page = await open(browsing, site.origin + preferencesPage);
    const field = page.locator(`#${key}`);
    const save = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const set = (value: string) => (chosen?.kind === "choice" ? field.selectOption(value) : field.fill(value));
    const current = page.getByText(fillGaps(preferencesMessages.en.currentValue(gap)));
    const ofDevice = String(preferencesOfDevice[key]);
    const own = String(chosen?.default);
    expect(await field.inputValue()).toBe(ofDevice);

    const elsewhere = async (value: string) => {
      await anna.open(preferencesPage);
      await anna.post({ intent: "save", ...chosenPreferences, [key]: value });
    };
    await elsewhere(own);
    await set(third);
    await save(preferencesMessages.en.save);
    await current.waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(
      preferencesMessages.en.changedElsewhere.title,
    );
    expect([await current.count(), await field.inputValue()]).toEqual([1, third]);
    await save(preferencesMessages.en.saveAgain);
    await current.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe(third);

    await elsewhere(own);
    await save(preferencesMessages.en.save);
    await page.getByText(preferencesMessages.en.taken).waitFor();
    expect([await current.count(), await field.inputValue()]).toEqual([0, own]);
    await elsewhere(third);
    await set(ofDevice);
    await save(preferencesMessages.en.saveAgain);
    await current.waitFor();
    await page.getByRole("link", { name: preferencesMessages.en.changedElsewhere.take }).click();
    await current.waitFor({ state: "detached" });
    await expect.poll(() => field.inputValue(), { interval: 50 }).toBe(third);
  });
});

describe.each(javaScriptModes)("$mode", ({ javaScript }) => {
  test("the confirmation of a save is at the top of the page's column, no wider than it, and a script moves the focus there", async () => {
    const anna = await deviceOwner(site, `saves-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(anna, browsing, site.origin);
      const page = await open(browsing, site.origin + preferencesPage);
      await page.getByRole("button", { name: preferencesMessages.en.save, exact: true }).press("Enter");
      const shown = page.locator("#content > .flash:first-child");
      await shown.getByText(preferencesFeatureMessages.en.flashes["preferences-saved"]).waitFor();
      expect(await page.locator(".flash").count()).toBe(1);
      await expect.poll(() => shown.evaluate((element) => element === document.activeElement)).toBe(javaScript);
      const [flash, column, header] = await Promise.all(
        [shown, page.locator(".settings-page"), page.getByRole("banner")].map((part) => part.boundingBox()),
      );
      expect([flash?.x, flash?.width]).toEqual([column?.x, column?.width]);
      expect(flash?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0) + 8);
    });
  });
});
