import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type Browsing, withBrowser } from "#tests/browser/support/steps.ts";
import {
  breakPage,
  openWatched,
  Outbox,
  useWatched,
  unexpected,
  visitForm,
} from "#tests/browser/support/sentry-outbox.ts";

/**
 * Pages with a receiver, or a tunnel, that rate limits. Without traces, whose answers would announce the limit before
 * a 429.
 */
const watched = useWatched();

describe("after one 429 the page stops sending, because of a limit", () => {
  test("of the receiver for errors", async () => {
    const limits = { "X-Sentry-Rate-Limits": "600:error:organization" };
    watched.receiver.behave({ kind: "refuse", status: 429, headers: limits });
    await withBrowser(watched.chromium, {}, async (browsing) => {
      const outbox = new Outbox(browsing.page);
      const page = await openWatched(browsing, `${watched.site.origin}/login`);
      await breakUntilRefused(page);
      await expectQuiet(page, browsing, outbox);
    });
  });

  test("of our own tunnel for everything", async () => {
    watched.receiver.behave({ kind: "accept" });
    await withBrowser(watched.chromium, {}, async (browsing) => {
      const outbox = new Outbox(browsing.page);
      const page = await openWatched(browsing, `${watched.site.origin}/login`);
      const knock = async () => (await watched.site.fetch("/monitoring", { method: "POST", body: "" })).status;
      let status = 0;
      while (status !== 429) status = (await Promise.all(Array.from({ length: 20 }, knock))).at(-1) ?? 0;
      await breakUntilRefused(page);
      await expectQuiet(page, browsing, outbox);
    });
  });

  /** One error after the other, since those pending together are refused together. */
  async function breakUntilRefused(page: Page): Promise<void> {
    for (let number = 0, status = 0; status !== 429; number += 1) {
      const answered = page.waitForResponse("**/monitoring");
      await breakPage(page, `A bug, the ${number}th`);
      status = (await answered).status();
    }
  }

  async function expectQuiet(page: Page, browsing: Browsing, outbox: Outbox): Promise<void> {
    const { length } = outbox.messages;
    await breakPage(page, "A bug in the pause", "A bug, still in the pause");
    await visitForm(page);
    expect(outbox.messages.length).toBe(length);
    expect(unexpected(browsing).map(({ status, path }) => [status, path])).toEqual([[429, "/monitoring"]]);
  }
});
