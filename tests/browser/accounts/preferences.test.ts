import { expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { preferencesMessages } from "#app/routes/settings/preferences/messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import { deviceOwner, lendCookies } from "#tests/browser/support/visitors.ts";
import { chosenPreferences, pages, preferencesOfDevice } from "#tests/support/billing/catalogue.ts";

useSiteAndBrowser({ stripe: false });

const config: ProductConfig = product;
const chosen = config.preferences.find(({ kind }) => kind !== "switch");
const key = chosen?.key ?? "";
/** Neither the default nor what the device chose. */
const third =
  chosen?.kind === "choice"
    ? (chosen.options.find(({ value }) => ![chosen.default, preferencesOfDevice[key]].includes(value))?.value ?? "none")
    : String(chosen?.kind === "number" ? chosen.min + 1 : "none");

test("two open pages: the second keeps what was chosen there, shows the current values, takes what it left alone, or discards it", async () => {
  const anna = await deviceOwner(site, "two-pages@example.com");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(anna, browsing, site.origin);
    const page = await open(browsing, site.origin + pages.preferences);
    const field = page.locator(`#${key}`);
    const save = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const set = (value: string) => (chosen?.kind === "choice" ? field.selectOption(value) : field.fill(value));
    const current = page.getByText(fillGaps(preferencesMessages.en.currentValue(gap)));
    const ofDevice = String(preferencesOfDevice[key]);
    const own = String(chosen?.default);
    expect(await field.inputValue()).toBe(ofDevice);

    const elsewhere = async (value: string) => {
      await anna.open(pages.preferences);
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
