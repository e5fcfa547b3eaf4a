import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chromium, startChromium } from "#tests/support/chromium.ts";
import { SentryReceiver } from "#tests/support/sentry-receiver.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { type Browsing, open, withBrowser } from "./steps.ts";

const receiver = new SentryReceiver();
let site: Site;
let chromium: Chromium;

beforeAll(async () => {
  await receiver.listen();
  const vars = { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0" };
  [site, chromium] = await Promise.all([startSite({ vars }), startChromium()]);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
  await receiver.close();
});

/** The page, once the part that reports has arrived, which is the last that a page loads. */
async function openWatched(browsing: Browsing, path: string): Promise<Page> {
  const arrived = browsing.page.waitForResponse((response) => response.url().includes("/error-reporting.client"));
  const page = await open(browsing, site.origin + path);
  await (await arrived).finished();
  await page.waitForFunction(() => "__SENTRY__" in window);
  return page;
}

/** Thrown from a timer, as a bug in a page would be: nobody catches it. */
async function breakPage(page: Page, words: string): Promise<void> {
  await page.evaluate((message) => {
    setTimeout(() => {
      throw new Error(message);
    });
  }, words);
}

/** A page that is left says how many of its events it kept to itself: such envelopes come at any time, and are none. */
async function nextEvent(): Promise<string> {
  for (;;) {
    const { text } = await receiver.nextEnvelope();
    if (!text.includes('{"type":"client_report"}')) return text;
  }
}

describe("an error in a page", () => {
  test("arrives as one envelope through /monitoring, without query, address or cookie", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await openWatched(browsing, "/login?redirectTo=/settings/secret-place");
      const sent = page.waitForRequest("**/monitoring");
      await breakPage(page, "The first thing that broke, for mara@example.com");
      const request = await sent;
      expect(request.method()).toBe("POST");
      expect(new URL(request.url()).origin).toBe(site.origin);
      expect(await request.headerValue("cookie")).toBeNull();
      const first = await receiver.nextEnvelope();
      expect(first.path).toContain(`/api/${receiver.project}/envelope/`);
      expect(first.text).toContain('"type":"event"');
      expect(first.text).toContain("The first thing that broke, for [address]");
      expect(first.text).not.toContain("secret-place");
      expect(first.text).not.toContain("mara@example.com");

      // The same again is the same bug; the next envelope is the next bug's, so nothing came in between.
      await breakPage(page, "The first thing that broke, for mara@example.com");
      await breakPage(page, "The second thing that broke");
      expect(await nextEvent()).toContain("The second thing that broke");
      expect(receiver.unread).toBe(0);
      expect(browsing.troubles.filter(({ kind }) => kind !== "page-error")).toEqual([]);
    });
  });

  test("that is thrown before the reporting part is there arrives, too", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const { page } = browsing;
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/error-reporting.client*", async (route) => {
        await released;
        await route.continue();
      });
      await open(browsing, `${site.origin}/login`);
      await breakPage(page, "An early thing that broke");
      release();
      expect(await nextEvent()).toContain("An early thing that broke");
    });
  });
});

test("noise of browsers and their extensions is not reported, and the page goes on", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await openWatched(browsing, "/login");
    await breakPage(page, "ResizeObserver loop limit exceeded");
    await breakPage(page, "Extension context invalidated.");
    await breakPage(page, "A real thing after the noise");
    expect(await nextEvent()).toContain("A real thing after the noise");
    await page.getByLabel("E-mail").fill("still-works@example.com");
    await page.getByRole("button", { name: "Send me a code" }).click();
    await page.waitForURL("**/verify**");
  });
});

test("a receiver that is down changes nothing for the visitor", async () => {
  receiver.behave({ kind: "refuse", status: 503 });
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await openWatched(browsing, "/signup");
    const answered = page.waitForResponse("**/monitoring");
    await breakPage(page, "Nobody will read this");
    expect((await answered).status()).toBe(200);
    await page.getByRole("link", { name: "Sign in" }).first().click();
    await page.waitForURL("**/login");
    expect(browsing.troubles.filter(({ kind }) => kind !== "page-error")).toEqual([]);
  });
});
