import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pattern, small } from "#tests/support/billing/catalogue.ts";
import { signIn } from "#tests/http/plans/subscribers.ts";
import { customer, lendCookies } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { mailedCode, open, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

describe.each([
  { path: "/login", begins: "Sign in with a passkey" },
  { path: "/signup", begins: "E-mail address" },
])("with the keyboard on $path", ({ path, begins }) => {
  test("the first stop is the skip link, and it leads into the content", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin + path);
      await page.keyboard.press("Tab");
      const first = await focused(page);
      expect(first.text).toBe("Skip to the content");
      expect(first.top).toBeGreaterThanOrEqual(0);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("#main:focus").count(), patiently).toBe(1);
      await page.keyboard.press("Tab");
      const { text, label } = await focused(page);
      expect(text || label).toBe(begins);
    });
  });

  test.each(["light", "dark"] as const)(
    "every stop shows where it is, and none is left out (%s)",
    async (colorScheme) => {
      await withBrowser(chromium, { colorScheme }, async (browsing) => {
        const page = await open(browsing, site.origin + path);
        const stops = await tabThrough(page);
        const all = await page.locator("a[href], button, input:not([type=hidden]), select, summary").count();
        expect(stops.length).toBe(all);
        expect(stops.filter((stop) => !(stop.outlinePx >= 2 && stop.contrast >= 3))).toEqual([]);
        // Windows scroll by whole pixels, and lines end where they end.
        expect(stops.filter((stop) => stop.top <= -1 || stop.bottom >= stop.windowHeight + 1)).toEqual([]);
      });
    },
  );
});

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("by keyboard alone, $mode", ({ javaScript }) => {
  test("a user gets from the landing page into the account", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `keys-${javaScript}@example.com`;
      const page = await open(browsing, site.origin);
      await tabTo(page, pattern`^Start ${small.name}`);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/signup?**");
      await page.getByRole("heading", { level: 1, name: "Create an account" }).waitFor();
      await tabTo(page, /^E-mail address/);
      await page.keyboard.type(address);
      await tabTo(page, /^I agree to the terms/);
      await page.keyboard.press("Space");
      await tabTo(page, /^Send me a code/);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/verify**");
      // The one field of this page has the focus automatically.
      await expect.poll(() => page.locator("#code:focus").count(), patiently).toBe(1);
      await page.keyboard.type(await mailedCode(site, address));
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await page.getByRole("heading", { level: 1, name: `Start ${small.name}` }).waitFor();
      await tabTo(page, /^Overview$/);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${site.origin}/settings`);
      await page.getByText(`Signed in as ${address}`).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a user ends another browser's session, closes the account and restores it", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `leaving-keys-${javaScript}@example.com`;
      await lendCookies(await customer(site, address), browsing, site.origin);
      await (await site.database()).exec("delete from budget_uses");
      const other = await signIn(site, address);
      const page = await open(browsing, `${site.origin}/settings`);
      await tabTo(page, /^Sign out\s+(?!of|everywhere)\S/, "main");
      await page.keyboard.press("Enter");
      await page.getByText("That browser is signed out.").waitFor();
      expect((await other.open("/settings")).path()).toMatch(/^\/login/);
      await tabTo(page, /^Close my account$/);
      await page.keyboard.press("Enter");
      await tabTo(page, /^Close it now$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Your account is closed" }).waitFor();
      await tabTo(page, /^Restore my account$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "You", exact: true }).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("after a link the next stop is the beginning of the new page, not the end of the old one", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, `${site.origin}/signup`);
    await tabTo(page, /^Sign in$/, "main");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/login");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.keyboard.press("Tab");
    expect((await focused(page)).text).toBe("Sign in with a passkey");
  });
});

/** Polled from outside: a page without JavaScript has no timers of its own to wait with. */
const patiently = { timeout: 15_000, interval: 50 };

type Stop = Awaited<ReturnType<typeof focused>>;

/** Where the focus is and how it is drawn. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    /** Relative luminance, of whatever notation the colour has. */
    const luminance = (color: string): number => {
      if (!pen) return 0;
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((byte) => {
        const part = byte / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const around = luminance(getComputedStyle(document.documentElement).backgroundColor);
    const ring = luminance(style.outlineColor);
    const label = element instanceof HTMLInputElement ? (element.labels?.[0]?.innerText ?? "") : "";
    return {
      text: (element instanceof HTMLElement ? element.innerText : "").trim(),
      label: label.trim(),
      isPage: element === document.body || element === document.documentElement,
      isInMain: element.closest("main") !== null,
      outlinePx: style.outlineStyle === "none" ? 0 : Number.parseFloat(style.outlineWidth),
      contrast: (Math.max(around, ring) + 0.05) / (Math.min(around, ring) + 0.05),
      top: box.top,
      bottom: box.bottom,
      windowHeight: innerHeight,
    };
  });
}

/** Every stop from the top of the page until the focus leaves it. */
async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (stop.isPage || (stops.length > 0 && stop.text === stops[0]?.text && stop.top === stops[0].top)) return stops;
    stops.push(stop);
    if (stops.length > 200) throw new Error("The focus never leaves the page");
  }
}

async function tabTo(page: Page, name: RegExp, where: "anywhere" | "main" = "anywhere"): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (name.test(stop.text || stop.label) && (where === "anywhere" || stop.isInMain)) return;
  }
  throw new Error(`No stop is called ${name}`);
}
