import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { loginMessages } from "#app/routes/login/messages.ts";
import { EARLY_ERRORS_MAX } from "#workers/monitoring/constants.ts";
import {
  breakPage,
  isSdkChunk,
  nextOf,
  openWatched,
  Outbox,
  useWatched,
} from "#tests/browser/support/sentry-outbox.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";

const watched = useWatched();

const sdkChunk = "**/browser-sdk.client*";

describe("an error in a page", () => {
  test("is sent as one envelope through /monitoring, without query, address or cookie", async () => {
    const { receiver, site, chromium } = watched;
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await openWatched(browsing, `${site.origin}/login?redirectTo=/settings/secret-place`);
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
      expect(first.text).toContain('"infer_ip":"never"');
      expect(first.text).not.toContain("secret-place");
      expect(first.text).not.toContain("mara@example.com");
      expect(browsing.troubles.filter(({ kind }) => kind !== "page-error")).toEqual([]);
    });
  });
});

describe("the reporting script", () => {
  test("is requested once the page is interactive, and isn't part of the initial scripts", async () => {
    const { site, chromium } = watched;
    await withBrowser(chromium, {}, async (browsing) => {
      // Recorded in the page itself, at the idle moment: outside of it, everything is seen a little later.
      await browsing.page.addInitScript(() => {
        const ask = window.requestIdleCallback.bind(window);
        window.requestIdleCallback = (work, options) =>
          ask((deadline) => {
            const isAlive = Object.keys(document.querySelector("main") ?? {}).some((key) =>
              key.startsWith("__reactProps$"),
            );
            Object.assign(window, {
              idle: { isAlive, isParsed: document.readyState !== "loading", at: performance.now() },
            });
            work(deadline);
          }, options);
      });
      const page = await openWatched(browsing, `${site.origin}/signup`);
      const idle = await page.evaluate(() => Object.getOwnPropertyDescriptor(window, "idle")?.value);
      const chunk = await page.evaluate(() => {
        const chunks = performance
          .getEntriesByType("resource")
          .filter(({ name }) => name.includes("/browser-sdk.client"));
        return chunks.map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime }));
      });
      expect(idle).toMatchObject({ isAlive: true, isParsed: true });
      expect(chunk.map(({ startTime }) => startTime >= idle.at)).toEqual([true]);
      expect(await (await site.fetch(chunk[0]?.path ?? "")).text()).toContain("BrowserTracing");
    });
    const html = await (await site.fetch("/signup")).text();
    const early = [...new Set([...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? ""))];
    expect(early.length).toBeGreaterThan(3);
    const scripts = await Promise.all(early.map(async (path) => (await site.fetch(path)).text()));
    expect(scripts.filter((script) => script.includes("BrowserTracing"))).toEqual([]);
  });

  test("is not requested without JavaScript, and a page that can't load it works", async () => {
    const { site, chromium } = watched;
    await withBrowser(chromium, { javaScript: false }, async ({ page, troubles }) => {
      const requests: string[] = [];
      page.on("request", (request) => void (isSdkChunk(request.url()) && requests.push(request.url())));
      await page.goto(`${site.origin}/login`);
      expect([requests, troubles]).toEqual([[], []]);
    });
    await withBrowser(chromium, {}, async (browsing) => {
      const { page, troubles } = browsing;
      const refused = page.waitForEvent("requestfailed");
      await page.route(sdkChunk, (route) => route.abort());
      await open(browsing, `${site.origin}/login`);
      await refused;
      await page.getByLabel(loginMessages.en.email).fill("still-works@example.com");
      await page.getByRole("button", { name: loginMessages.en.submit }).click();
      await page.waitForURL("**/verify**");
      expect(troubles.filter(({ text }) => !isSdkChunk(text))).toEqual([]);
    });
  });
});

/** A page whose reporting script is delayed until it is released. */
async function withLateSdk(walk: (page: Page, outbox: Outbox, release: () => void) => Promise<void>): Promise<void> {
  await withBrowser(watched.chromium, {}, async (browsing) => {
    const { page } = browsing;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(sdkChunk, async (route) => {
      await released;
      await route.continue();
    });
    await open(browsing, `${watched.site.origin}/login`);
    await walk(page, new Outbox(page), release);
  });
}

describe("an error before the reporting script has loaded", () => {
  test("is reported once it has loaded, up to EARLY_ERRORS_MAX of them, in order", async () => {
    await withLateSdk(async (page, outbox, release) => {
      const messages = Array.from({ length: EARLY_ERRORS_MAX + 1 }, (_, index) => `early ${index}`);
      await breakPage(page, ...messages);
      const answered = page.waitForResponse("**/monitoring");
      release();
      await expect.poll(() => outbox.messages.length).toBe(EARLY_ERRORS_MAX);
      // As many as fill the SDK's queue; one that is answered makes room for another.
      await (await answered).finished();
      await breakPage(page, "late");
      await expect.poll(() => outbox.messages.at(-1)).toBe("late");
      expect(outbox.messages).toEqual([...messages.slice(0, EARLY_ERRORS_MAX), "late"]);
      const arrived = await nextOf(watched.receiver, "event");
      expect(JSON.stringify(arrived.payload)).toContain("early ");
    });
  });

  test("passes through the same filters: no redirects, no noise, Responses as text", async () => {
    await withLateSdk(async (page, outbox, release) => {
      await page.evaluate(() => {
        void Promise.reject(new Response(null, { status: 302 }));
        void Promise.reject(new Error("x", { cause: new Response(null, { status: 302 }) }));
        void Promise.reject(new Response(null, { status: 503 }));
        return new Promise((resolve) => setTimeout(resolve, 10));
      });
      await breakPage(page, "Extension context invalidated.", "twice", "twice", "the last");
      release();
      await expect.poll(() => outbox.messages.at(-1)).toBe("the last");
      expect(outbox.messages).toEqual(["A Response with status 503 was thrown", "twice", "the last"]);
    });
  });
});
