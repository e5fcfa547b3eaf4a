import { flashMessages } from "#app/http/page/flash.messages.ts";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { visitorMessages } from "#app/http/request/visitor.messages.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { signupMessages, signUpFieldsMessages } from "#app/routes/signup/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { expectFocusIn } from "#tests/browser/support/sections.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { signIn, signUp } from "#tests/support/clients/customers.ts";

useSiteAndBrowser();

describe.each([
  { path: "/login", begins: loginMessages.en.passkey },
  { path: "/signup", begins: signupMessages.en.email },
])("with the keyboard on $path", ({ path, begins }) => {
  test("the first stop is the skip link, which leads to the content", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin + path);
      await page.keyboard.press("Tab");
      const first = await focused(page);
      expect(first.text).toBe(rootMessages.en.skip);
      expect(first.top).toBeGreaterThanOrEqual(0);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("#main:focus").count(), patiently).toBe(1);
      await page.keyboard.press("Tab");
      const { text, label } = await focused(page);
      expect(text || label).toBe(begins);
    });
  });

  test.each(["light", "dark"] as const)(
    "every stop shows the focus, and none is left out (%s)",
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

describe.each(javaScriptModes)("by keyboard alone, $mode", ({ javaScript }) => {
  test("a user gets from the landing page to the account", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `keys-${javaScript}@example.com`;
      const page = await open(browsing, site.origin);
      await tabTo(page, landingMessages.en.start(small.name));
      await page.keyboard.press("Enter");
      await page.waitForURL("**/signup?**");
      await page.getByRole("heading", { level: 1, name: signupMessages.en.title }).waitFor();
      await tabTo(page, signupMessages.en.email);
      await page.keyboard.type(address);
      await tabTo(page, signUpFieldsMessages.en.terms.before.trim());
      await page.keyboard.press("Space");
      await tabTo(page, signupMessages.en.submit);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/verify**");
      // The one field of this page has the focus automatically.
      await expect.poll(() => page.locator("#code:focus").count(), patiently).toBe(1);
      await page.keyboard.type(await site.codeTo(address));
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
      await page.getByRole("heading", { level: 1, name: upgradeMessages.en.confirm.title(small.name) }).waitFor();
      await tabTo(page, settingsMessages.en.overview);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${site.origin}/settings`);
      await page.getByText(overviewMessages.en.lead(address)).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a user ends another browser's session, closes the account and restores it", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `leaving-keys-${javaScript}@example.com`;
      await lendCookies(await signUp(site, address), browsing, site.origin);
      const other = await signIn(site, address, 2);
      const page = await open(browsing, `${site.origin}/settings/security`);
      await tabTo(page, `${securityMessages.en.sessions.end} ${visitorMessages.en.unknown}`, "main");
      await page.keyboard.press("Enter");
      await page.getByText(flashMessages.en["session-ended"]).waitFor();
      expect((await other.open("/settings")).path()).toMatch(/^\/login/);
      await open(browsing, `${site.origin}/settings/data`);
      await tabTo(page, accountClosingMessages.en.close.open);
      await page.keyboard.press("Enter");
      await tabTo(page, accountClosingMessages.en.close.button);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: accountClosingMessages.en.page.title }).waitFor();
      // The message arrives with focus, which would otherwise move after the next key.
      if (javaScript) await expectFocusIn(page, accountClosingMessages.en.page.restore);
      await tabTo(page, accountClosingMessages.en.page.button);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: overviewMessages.en.title, exact: true }).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("after following a link, the next stop is the beginning of the new page, not the end of the old one", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, `${site.origin}/signup`);
    await tabTo(page, signupMessages.en.signInLink, "main");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/login");
    await page.getByRole("heading", { level: 1, name: loginMessages.en.title }).waitFor();
    await page.keyboard.press("Tab");
    expect((await focused(page)).text).toBe(loginMessages.en.passkey);
  });
});

/** Polled from outside: a page without JavaScript has no timers to wait with. */
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
    /** Relative luminance of a colour in any notation. */
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

/** To the next stop whose name begins like this. */
async function tabTo(page: Page, name: string, where: "anywhere" | "main" = "anywhere"): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if ((stop.text || stop.label).replaceAll(/\s+/g, " ").startsWith(name) && (where === "anywhere" || stop.isInMain))
      return;
  }
  throw new Error(`No stop is called ${name}`);
}
