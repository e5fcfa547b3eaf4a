import { publicPages } from "#tests/support/site/addresses.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { type SlowConnection, startSlowConnection } from "#tests/support/clients/slow-connection.ts";
import { shiftsOf, tooWide, watchShifts } from "../../../scripts/gallery/check.ts";
import { testAccountScenes } from "../../../scripts/gallery/scenes.ts";
import type { Scene } from "../../../scripts/gallery/scene.ts";
import { type TestAccounts, setUpAccounts, type Member } from "#tests/browser/support/test-accounts.ts";
import { colourFindings, findings } from "#tests/browser/support/findings.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { type Browsing, open } from "#tests/browser/support/steps.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";

let line: SlowConnection;
let accounts: TestAccounts;
const browsers = new Map<string, Browsing>();

useSiteAndBrowser();
beforeAll(async () => {
  [accounts, line] = [await setUpAccounts(site), await startSlowConnection(site.origin)];
});
afterAll(() => line.close());

/**
 * Each account has one browser, and opens page after page in it, on a connection so slow that each is painted before
 * it is complete.
 */
async function show({ who, path, status = 200 }: Scene<Member>): Promise<Browsing> {
  const browsing = browsers.get(who) ?? (await chromium.newPage());
  if (!browsers.has(who)) {
    await watchShifts(browsing.page);
    await lendCookies(accounts.visitors[who], browsing, line.origin);
  }
  browsers.set(who, browsing);
  browsing.troubles.length = 0;
  const address = new URL(accounts.fill(path));
  const page = await open(browsing, line.origin + address.pathname + address.search);
  expect(browsing.troubles.filter((trouble) => trouble.status !== status)).toEqual([]);
  // Its address is the requested one: there was no redirect to the log-in page.
  expect(new URL(page.url()).pathname).toBe(address.pathname);
  return browsing;
}

/**
 * A tenth of what a visitor would notice (0.1, by https://web.dev/articles/cls): columns of a table that find their
 * width.
 */
const shiftMax = 0.01;

async function tooMuchMoved(page: Page): Promise<string[]> {
  const shifts = await shiftsOf(page);
  const total = shifts.reduce((sum, shift) => sum + Number(/\d\.\d+/.exec(shift)?.[0]), 0);
  return total < shiftMax ? [] : shifts;
}

/** As it is opened: states after errors are the gallery's. */
const everyPage = testAccountScenes.filter(({ action }) => !action);

describe.each(everyPage)("$name", (place) => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await show(place);
  });

  test("starts at its top, without a layout shift", async () => {
    const { page } = browsing;
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(heading?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(await tooMuchMoved(page)).toEqual([]);
  });

  test("has the product's name in its title, and list markers inside its column", async () => {
    const { page } = browsing;
    expect(await page.title()).toContain(product.name);
    const hanging = await page.locator("ul, ol").evaluateAll((lists) =>
      lists.flatMap((list) => {
        const { listStyleType, paddingInlineStart } = getComputedStyle(list);
        return listStyleType !== "none" && Number.parseFloat(paddingInlineStart) < 12 ? [list.textContent] : [];
      }),
    );
    expect(hanging).toEqual([]);
  });

  test("passes axe, in light and in dark", async () => {
    const { page } = browsing;
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    expect(await findings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    expect(await colourFindings(page)).toEqual([]);
  });

  test("is never wider than its window, on a small phone and with text of double size", async () => {
    expect(await tooWide(browsing)).toEqual([]);
  });
});

test.each(["/", "/signup", "/login", ...publicPages(), "/legal"])("%s has no layout shift on a phone", async (path) => {
  const { page, alive, context } = await chromium.newPage({ viewport: { width: 390, height: 844 } });
  await watchShifts(page);
  await page.goto(line.origin + path);
  await alive();
  expect(await tooMuchMoved(page)).toEqual([]);
  await context.close();
});

test.each(["A4", "Letter"])("an invoice is printed as one page of %s", async (format) => {
  const invoice = everyPage.find(({ path }) => path.startsWith("/settings/orders/receipt?"));
  if (!invoice) throw new Error("There is no invoice among the pages");
  const { page } = await show(invoice);
  const sheets = (await page.pdf({ format })).toString("latin1").match(/\/Type\s*\/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  const around = page.locator("header nav, footer, .skip-link, button, .no-print");
  expect(await around.filter({ visible: true }).count()).toBe(0);
  // "screen" would be printed as well.
  await page.emulateMedia({ media: null });
});
