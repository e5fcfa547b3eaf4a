import { afterAll, beforeAll, expect, test } from "vitest";
import { product } from "#app/product.config.ts";
import type { ProductConfig } from "#app/domain/product/rules.ts";
import { chosenPreferences, pages, preferencesOfDevice } from "#tests/support/catalogue.ts";
import { type Chromium, startChromium } from "#tests/support/chromium.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { deviceOwner, lendCookies } from "./people.ts";
import { open, withBrowser } from "./steps.ts";

let site: Site;
let chromium: Chromium;

beforeAll(async () => {
  [site, chromium] = await Promise.all([startSite({ stripe: false }), startChromium()]);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

const config: ProductConfig = product;
const chosen = config.preferences.find(({ kind }) => kind !== "switch");
const key = chosen?.key ?? "";

test("two pages that stood open: the second is told what stands, keeps what was chosen, saves it at once, or lets it go", async () => {
  const anna = await deviceOwner(site, "two-pages@example.com");
  await withBrowser(chromium, { javaScript: true }, async (browsing) => {
    await lendCookies(anna, browsing, site.origin);
    const page = await open(browsing, site.origin + pages.preferences);
    const field = page.locator(`#${key}`);
    const save = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const set = (value: string) => (chosen?.kind === "choice" ? field.selectOption(value) : field.fill(value));
    const standing = page.getByText("Stands now: ");
    const ofDevice = String(preferencesOfDevice[key]);
    const own = String(chosen?.default);
    expect(await field.inputValue()).toBe(ofDevice);

    const elsewhere = async (value: string) => {
      await anna.open(pages.preferences);
      await anna.post({ intent: "save", ...chosenPreferences, [key]: value });
    };
    await elsewhere(own);
    await set(ofDevice);
    // With what the page was shown with, nothing else differs.
    await save("Save");
    await standing.waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Changed somewhere else");
    expect([await standing.count(), await field.inputValue()]).toEqual([1, ofDevice]);
    await save("Save mine");
    await standing.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe(ofDevice);

    await elsewhere(own);
    await save("Save");
    await page.getByRole("link", { name: "Take what stands now" }).click();
    await standing.waitFor({ state: "detached" });
    await expect.poll(() => field.inputValue(), { interval: 50 }).toBe(own);
  });
});
