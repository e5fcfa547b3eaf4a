import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { type Chromium, startChromium } from "#tests/support/clients/chromium.ts";
import { buySmall, ordersOf } from "#tests/support/billing/customer.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { findings } from "#tests/browser/support/findings.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";

let site: Site;
let chromium: Chromium;
let mara: Visitor;
let order: { id: string; number: string | null };

beforeAll(async () => {
  [site, chromium] = await Promise.all([startSite(), startChromium()]);
  mara = await buySmall(site, "mara@example.com");
  await vi.waitFor(async () => expect((await ordersOf(site, "mara@example.com"))[0]?.state).toBe("paid"), 10_000);
  [order = { id: "", number: "" }] = await ordersOf(site, "mara@example.com");
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

describe.each([
  ["with", true],
  ["without", false],
])("%s JavaScript", (_, javaScript) => {
  test("a withdrawal is shown before it counts, and declared with the second button", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await open(browsing, `${site.origin}/withdraw?order=${order.number}`);
      await page.getByLabel("Your name").fill("Mara Example");
      await page.getByLabel("E-mail address").fill(`mara-${javaScript}@example.com`);
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByRole("heading", { name: "This is what you declare" }).waitFor();
      await browsing.alive();
      expect(await page.getByRole("blockquote").textContent()).toContain(`I, Mara Example, withdraw`);
      if (javaScript) expect(await findings(page)).toEqual([]);
      if (javaScript) {
        // It took the form's place, and has the focus that went with that.
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BLOCKQUOTE");
        // Back in the form, with what was typed.
        await page.getByRole("link", { name: "Change it" }).click();
        await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Mara Example");
        await browsing.alive();
        await page.getByLabel("Your name").fill("Mara E. Example");
        await page.getByRole("button", { name: "Go on" }).click();
        await page.getByText("I, Mara E. Example").waitFor();
        await browsing.alive();
      }
      await page.getByRole("button", { name: "Confirm withdrawal" }).click();
      await page.waitForURL("**/withdraw?declared");
      await page.getByRole("heading", { level: 1, name: "Your withdrawal is declared" }).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("orders are filtered by the form above them", async () => {
    await (
      await site.database()
    )
      .prepare(
        `insert or ignore into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
         select 'ord_past', id, 'expired', 'renewal', '${small.id}', 'month', 'EUR', 600, 1700000000000, 0 from accounts`,
      )
      .run();
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/orders`);
      expect(await page.getByRole("row").count()).toBe(3);
      await page.getByLabel("Year").selectOption("2023");
      await page.getByRole("button", { name: "Show" }).click();
      await page.waitForURL("**/settings/orders?year=2023&state=");
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      expect(await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href")).toBe(
        "/settings/orders.csv?year=2023",
      );
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a receipt is printed as a sheet of its own: without the site around it, on one page", async () => {
  await withBrowser(chromium, { colorScheme: "dark" }, async (browsing) => {
    await lendCookies(mara, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders/receipt?order=${order.id}`);
    let printed = false;
    await page.exposeFunction("notePrinting", () => (printed = true));
    await page.evaluate(() => {
      window.print = () => void (window as unknown as { notePrinting(): void }).notePrinting();
    });
    await page.getByRole("button", { name: "Print" }).click();
    await expect.poll(() => printed).toBe(true);
    await page.emulateMedia({ media: "print" });
    const shown = await page.evaluate(() => document.body.innerText);
    expect(shown).toContain(`Receipt ${order.number}`);
    expect(shown).toContain(`VAT id ${product.seller.vatId}`);
    for (const word of ["Sign out", "Imprint", "Print", "Back to the order"]) expect(shown).not.toContain(word);
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(background).toBe("light");
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});
