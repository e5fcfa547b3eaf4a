import { describe, expect, test } from "vitest";
import type { Behaviour } from "#tests/support/monitoring/sentry-receiver.ts";
import { startSite } from "#tests/support/site/site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import {
  breakPage,
  isSdkChunk,
  openWatched,
  Outbox,
  useWatched,
  unexpected,
  visitForm,
} from "#tests/browser/support/sentry-outbox.ts";

/**
 * Pages with a receiver that is off, hanging, lying or dead: a visitor doesn't notice. With one that rate limits:
 * diagnostics-rate-limits.
 */
const watched = useWatched({ SENTRY_TRACES_SAMPLE_RATE: "1" });

test("diagnostics that are off request no reporting script, send nothing and log nothing", async () => {
  const off = await startSite({ stripe: false });
  try {
    await withBrowser(watched.chromium, {}, async (browsing) => {
      const requests: string[] = [];
      browsing.page.on("request", (request) => void requests.push(request.url()));
      const page = await open(browsing, `${off.origin}/login`);
      await breakPage(page, "A bug without a report");
      await visitForm(page);
      // An idle moment has certainly passed: a form and two pages needed it, and this waits for another.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      expect(requests.filter((url) => isSdkChunk(url) || url.includes("/monitoring"))).toEqual([]);
      expect(unexpected(browsing)).toEqual([]);
    });
  } finally {
    await off.close();
  }
});

describe("a page works as usual with a receiver that", () => {
  const behaviours: [string, Behaviour][] = [
    ["never answers", { kind: "hang" }],
    ["is down", { kind: "refuse", status: 503 }],
    ["lies", { kind: "redirect", to: "https://elsewhere.example" }],
    ["hangs up", { kind: "reset" }],
  ];

  test.each(behaviours)("%s", async (_name, behaviour) => {
    watched.receiver.behave(behaviour);
    await expectUnnoticed();
  });

  test("doesn't exist", async () => {
    await watched.receiver.close();
    await expectUnnoticed();
    await watched.receiver.listen();
  });

  test("is behind a tunnel that doesn't answer", async () => {
    watched.receiver.behave({ kind: "accept" });
    await withBrowser(watched.chromium, {}, async (browsing) => {
      const outbox = new Outbox(browsing.page);
      await browsing.page.route("**/monitoring", () => undefined);
      const page = await openWatched(browsing, `${watched.site.origin}/login`);
      await breakPage(page, "A bug without a report");
      await expect.poll(() => outbox.messages).toEqual(["A bug without a report"]);
      await visitForm(page);
      expect(unexpected(browsing)).toEqual([]);
    });
  });

  async function expectUnnoticed(): Promise<void> {
    await withBrowser(watched.chromium, {}, async (browsing) => {
      const page = await openWatched(browsing, `${watched.site.origin}/login`);
      const answered = page.waitForResponse("**/monitoring");
      await breakPage(page, "A bug without a report");
      expect((await answered).status()).toBe(200);
      await visitForm(page);
      expect(unexpected(browsing)).toEqual([]);
    });
  }
});
