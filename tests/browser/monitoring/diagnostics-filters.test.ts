import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import noise from "#tests/vectors/noisy-errors.json" with { type: "json" };
import { withBrowser } from "#tests/browser/support/steps.ts";
import { breakPage, openWatched, Outbox, useWatched } from "#tests/browser/support/sentry-outbox.ts";

/**
 * What the SDK in a real page doesn't report; each time something that it does report comes after. Page loads:
 * traces.
 */
const watched = useWatched();

async function inWatchedPage(walk: (page: Page, outbox: Outbox) => Promise<void>): Promise<void> {
  await withBrowser(watched.chromium, {}, async (browsing) => {
    const outbox = new Outbox(browsing.page);
    await walk(await openWatched(browsing, `${watched.site.origin}/login`), outbox);
  });
}

/** Everything that was reported before a final error. */
async function wordsUntilNow(page: Page, outbox: Outbox): Promise<string[]> {
  await breakPage(page, "A bug to end with");
  await expect.poll(() => outbox.messages.at(-1)).toBe("A bug to end with");
  return outbox.messages.slice(0, -1);
}

describe("noise", () => {
  test("of browsers, extensions and in-app browsers is not reported, and a nearly equal text is", async () => {
    await inWatchedPage(async (page, outbox) => {
      await breakPage(page, ...noise.ours, ...noise.sdk);
      await breakPage(page, ...noise.bugs);
      expect(await wordsUntilNow(page, outbox)).toEqual(noise.bugs);
    });
  });

  test("of failed or aborted requests is not reported, with the messages of each browser", async () => {
    await inWatchedPage(async (page, outbox) => {
      await page.route("**/fails", (route) => route.abort());
      const reported = await page.evaluate(async (origin) => {
        const messages: string[] = [];
        window.addEventListener("unhandledrejection", ({ reason }) => messages.push(String(reason)));
        const gone = new AbortController();
        gone.abort();
        void fetch(`${origin}/fails`);
        void fetch("/fails", { signal: gone.signal });
        while (messages.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
        return messages.sort();
      }, watched.site.origin);
      expect(reported).toEqual(["AbortError: signal is aborted without reason", "TypeError: Failed to fetch"]);
      expect(await wordsUntilNow(page, outbox)).toEqual([]);
    });
  });
});

describe("an event equal to one of the page's last 20", () => {
  test("is not reported, even with another one in between, and is reported after 20 others", async () => {
    await inWatchedPage(async (page, outbox) => {
      const others = Array.from({ length: 20 }, (_, index) => `other ${index}`);
      // One place in the code: the same message is the same error.
      await breakPage(page, "A", "B", "A", "B", ...others, "A");
      expect(await wordsUntilNow(page, outbox)).toEqual(["A", "B", ...others, "A"]);
    });
  });
});

/** Four kinds of redirect signal, two of them three causes deep. */
async function throwRedirects(page: Page, way: string): Promise<void> {
  await page.evaluate((how) => {
    const digest = "REACT_ROUTER_ERROR:REDIRECT:{}";
    const response = () => new Response(null, { status: 302, headers: { Location: "/login" } });
    const within = (cause: unknown) => new Error("a", { cause: new Error("b", { cause: new Error("c", { cause }) }) });
    const signals = [
      response(),
      Object.assign(new Error("digest"), { digest }),
      within(response()),
      within(Object.assign(new Error("digest"), { digest })),
    ];
    for (const signal of signals) {
      const raise = () => {
        throw signal;
      };
      if (how === "rejected") void Promise.reject(signal);
      else if (how === "thrown") queueMicrotask(raise);
      else setTimeout(raise);
    }
    // After what the window received of the above.
    return new Promise((resolve) => setTimeout(resolve, 10));
  }, way);
}

describe("a redirect", () => {
  test("is not reported if thrown or rejected, as a Response, by its digest, or as the cause of another error", async () => {
    await inWatchedPage(async (page, outbox) => {
      // The SDK ignores the window for a moment after an error that it caught itself, in a timer: such come last.
      for (const way of ["rejected", "thrown", "in a timer"]) await throwRedirects(page, way);
      expect(await wordsUntilNow(page, outbox)).toEqual([]);
    });
  });

  test("is distinguished from similar errors: a server error, another digest", async () => {
    await inWatchedPage(async (page, outbox) => {
      await page.evaluate(() => {
        queueMicrotask(() => {
          throw Object.assign(new Error("another digest"), { digest: "REACT_ROUTER_ERROR:OTHER" });
        });
        void Promise.reject(new Response(null, { status: 500 }));
        void Promise.reject(new Response(null, { status: 404 }));
      });
      await expect.poll(() => outbox.messages.length).toBe(2);
      // Caught by the SDK itself, which then ignores the window for a moment.
      await page.evaluate(() => {
        setTimeout(() => {
          throw new Response(null, { status: 503 });
        });
      });
      await expect.poll(() => outbox.messages.length).toBe(3);
      const messages = await wordsUntilNow(page, outbox);
      expect(messages.sort()).toEqual([
        "A Response with status 500 was thrown",
        "A Response with status 503 was thrown",
        "another digest",
      ]);
      expect(JSON.stringify(outbox.sent)).not.toContain("[object Response]");
    });
  });
});
