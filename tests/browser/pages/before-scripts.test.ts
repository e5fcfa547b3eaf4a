import { publicPages } from "#tests/support/site/addresses.ts";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { small } from "#tests/support/billing/catalogue.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

describe.each(["/", "/login", "/signup", `/signup?plan=${small.id}&interval=year`, ...publicPages()])("%s", (path) => {
  test("has its complete text, links, forms and layout before any script runs", async () => {
    const bare = await withBrowser(chromium, {}, async ({ page, context }) => {
      let blocked = 0;
      await context.route("**/*", (route) => {
        if (route.request().resourceType() !== "script") return route.continue();
        blocked += 1;
        return route.abort();
      });
      await page.goto(site.origin + path, { waitUntil: "networkidle" });
      expect(blocked).toBeGreaterThan(0);
      return content(page);
    });
    const alive = await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin + path);
      await page.evaluate(() => document.fonts.ready);
      expect(browsing.troubles).toEqual([]);
      return content(page);
    });
    expect(bare.text.length).toBeGreaterThan(100);
    expect(bare).toEqual(alive);
  });

  test("requests no script until its styles have loaded and it can be painted", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin + path);
      const times = await page.evaluate(() =>
        performance.getEntriesByType("resource").map((entry) => ({
          kind: /\.(css|js)$/.exec(entry.name)?.[1],
          asked: entry.startTime,
          came: entry.startTime + entry.duration,
        })),
      );
      const styles = times.filter(({ kind }) => kind === "css");
      const scripts = times.filter(({ kind }) => kind === "js");
      expect(styles.length).toBeGreaterThan(0);
      expect(scripts.length).toBeGreaterThan(4);
      expect(Math.min(...scripts.map(({ asked: sent }) => sent))).toBeGreaterThan(
        Math.max(...styles.map(({ came }) => came)),
      );
    });
  });

  test("has no layout shift when scripts run", async () => {
    await withBrowser(chromium, { viewport: { width: 390, height: 844 } }, async (browsing) => {
      await browsing.page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ("value" in entry) shifts.push(Number(entry.value));
        }).observe({ type: "layout-shift", buffered: true });
      });
      const page = await open(browsing, site.origin + path);
      await page.evaluate(() => document.fonts.ready);
      // Two frames: what the observer saw of the last one has arrived.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      expect(await page.evaluate(() => ("shifts" in window ? window.shifts : null))).toEqual([]);
    });
  });
});

/** What a user sees: every word, every link, every field, every button, and the position of each. */
function content(page: Page) {
  return page.evaluate(() => {
    const place = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join(" ");
    };
    return {
      text: document.body.innerText,
      links: [...document.querySelectorAll("a")].map((link) => `${link.getAttribute("href")} at ${place(link)}`),
      forms: [...document.querySelectorAll("form")].map((form) => ({
        method: form.method,
        action: form.getAttribute("action"),
        fields: [...form.elements].map((field) => ({
          tag: field.tagName,
          name: field.getAttribute("name"),
          type: field.getAttribute("type"),
          required: field.hasAttribute("required"),
          disabled: field.matches(":disabled"),
          at: place(field),
        })),
      })),
    };
  });
}
