import { describe, expect, test } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { type Browsing, open, signUp, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

describe.each(javaScriptModes)("the choice of light or dark, $mode", ({ javaScript }) => {
  test("is in the first byte of every page, survives a reload, and can be undone", async () => {
    await withBrowser(chromium, { javaScript, colorScheme: "light" }, async (browsing) => {
      const page = await signUp(browsing, site, `dark-${javaScript}@example.com`);
      const light = await ground(browsing);
      await choose(browsing, overviewMessages.en.appearance.dark);
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      const dark = await ground(browsing);
      expect(dark).not.toBe(light);
      expect(await firstTag(browsing, "/settings")).toBe('<html lang="en" data-theme="dark">');
      expect(await firstTag(browsing, "/")).toBe('<html lang="en" data-theme="dark">');
      // Scrollbars and form controls follow, before any stylesheet is there.
      expect(await page.locator('meta[name="color-scheme"]').getAttribute("content")).toBe("dark");

      await page.reload();
      await browsing.alive();
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      expect(await ground(browsing)).toBe(dark);
      expect(await page.getByRole("radio", { name: overviewMessages.en.appearance.dark }).isChecked()).toBe(true);

      await choose(browsing, overviewMessages.en.appearance.system);
      expect(await firstTag(browsing, "/settings")).toBe('<html lang="en">');
      expect(await ground(browsing)).toBe(light);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await ground(browsing)).toBe(dark);
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a light choice applies on a dark system, from the first paint", async () => {
  await withBrowser(chromium, { colorScheme: "dark" }, async (browsing) => {
    const page = await signUp(browsing, site, "light@example.com");
    const dark = await ground(browsing);
    await choose(browsing, overviewMessages.en.appearance.light);
    const light = await ground(browsing);
    expect(light).not.toBe(dark);
    // Every background that the page was painted with, from the first paint on.
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      const look = () => {
        if (document.body) seen.add(getComputedStyle(document.documentElement).backgroundColor);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.reload();
    await browsing.alive();
    await page.waitForFunction(() => "seen" in window && window.seen instanceof Set && window.seen.size > 0);
    const seen = await page.evaluate(() => ("seen" in window && window.seen instanceof Set ? [...window.seen] : []));
    expect(seen).toEqual([light]);
  });
});

test("with forced colours, each button has a frame, the main one is filled, and the focus is visible", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, `${site.origin}/login`);
    await page.emulateMedia({ forcedColors: "active" });
    const look = async (name: string) =>
      page.getByRole("button", { name }).evaluate((button) => {
        const { backgroundColor: ground, borderTopColor: frame, outlineStyle: focus } = getComputedStyle(button);
        return { ground, frame, focus };
      });
    const paper = await ground(browsing);
    const [other, main] = [await look(loginMessages.en.passkey), await look(loginMessages.en.submit)];
    expect([other.ground, main.ground === paper, other.frame === paper]).toEqual([paper, false, false]);
    await page.getByLabel(loginMessages.en.email).focus();
    await page.keyboard.press("Tab");
    expect([main.focus, (await look(loginMessages.en.submit)).focus]).toEqual(["none", "solid"]);
  });
});

async function choose({ page, alive }: Browsing, name: string): Promise<void> {
  await page.getByRole("radio", { name }).check();
  const loaded = page.waitForEvent("load");
  await page.getByRole("button", { name: overviewMessages.en.appearance.save }).click();
  await loaded;
  await alive();
  await page.getByText(rootMessages.en.flash["appearance-saved"]).waitFor();
}

function ground({ page }: Browsing): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

/** What the server sends first, requested with this browser's cookies. */
async function firstTag({ context }: Browsing, path: string): Promise<string> {
  const answer = await context.request.get(site.origin + path);
  return /^<!DOCTYPE html>(<html[^>]*>)/i.exec(await answer.text())?.[1] ?? "none";
}

test.each([320, 390])("text of double size doesn't cut the picture of the landing page, %i px wide", async (width) => {
  await withBrowser(chromium, { viewport: { width, height: 844 } }, async (browsing) => {
    const page = await open(browsing, `${site.origin}/`);
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    const beyond = await page.locator('.opening [role="img"] :is(div, p, li, span, svg)').evaluateAll((parts) =>
      parts.flatMap((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < 0 || right > innerWidth + 0.5 ? [`${part.className} ${part.tagName} ${left} ${right}`] : [];
      }),
    );
    expect(beyond).toEqual([]);
  });
});
