import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { loginMessages } from "#app/routes/login/messages.ts";
import {
  DEFAULT_BACKOFF_MS,
  LINKED_ERRORS_MAX,
  LOG_FLUSH_IDLE_MS,
  SEND_QUEUE_EVENTS_MAX,
  TRACE_CHILD_SPAN_MS,
  TRACE_FINAL_MS,
  TRACE_IDLE_MS,
  TUNNEL_PATH,
} from "#workers/monitoring/constants.ts";
import { breakPage, openWatched, Outbox, useWatched } from "#tests/browser/support/sentry-outbox.ts";
import { termsBox, withBrowser } from "#tests/browser/support/steps.ts";

/**
 * The given constants as the SDK uses them in a real page with the test's clock: no test here waits for real time.
 */
const watched = useWatched({ SENTRY_TRACES_SAMPLE_RATE: "1" });

type Timeless = { page: Page; outbox: Outbox; pass: (ms: number) => Promise<void> };

/** A page with a stopped clock that only `pass` advances. Requests to `/never` are never answered. */
async function inTimelessPage(walk: (timeless: Timeless) => Promise<void>): Promise<void> {
  await withBrowser(watched.chromium, {}, async (browsing) => {
    const { page } = browsing;
    await page.clock.install();
    await page.route("**/never*", () => undefined);
    await openWatched(browsing, `${watched.site.origin}/login`);
    const traced = page.waitForResponse(`**${TUNNEL_PATH}`);
    await page.clock.pauseAt(Date.now() + 2 * TRACE_FINAL_MS);
    // The trace of the page itself has ended, and nothing is pending.
    await (await traced).finished();
    const outbox = new Outbox(page);
    const pass = async (ms: number) => {
      await page.clock.runFor(ms);
      // Everything that was sent by then has been seen: this asks the page, and answers come in order.
      await page.evaluate(() => undefined);
    };
    await walk({ page, outbox, pass });
  });
}

/** On to another page, whose trace begins with it. */
async function advance({ page }: Timeless): Promise<void> {
  await page.getByRole("link", { name: loginMessages.en.signUpLink }).first().click();
  await page.waitForURL("**/signup");
  await termsBox(page).waitFor();
}

async function ask(page: Page, path: string): Promise<void> {
  await page.evaluate((url) => {
    fetch(url).then(
      () => Object.assign(window, { isAnswered: true }),
      () => undefined,
    );
  }, path);
}

function endsOf(outbox: Outbox): unknown[] {
  return outbox.of("transaction").map(({ transaction, contexts }) => {
    // As the SDK writes it.
    const { trace } = contexts as { trace: { data: Record<string, unknown> } };
    return [transaction, trace.data["sentry.idle_span_finish_reason"]];
  });
}

describe("a trace ends", () => {
  test("TRACE_IDLE_MS after the last activity", async () => {
    await inTimelessPage(async (timeless) => {
      const { page, outbox, pass } = timeless;
      let answer: Route | null = null;
      await page.route("**/later", (route) => void (answer = route));
      await advance(timeless);
      await ask(page, "/later");
      await pass(3 * TRACE_IDLE_MS);
      expect(endsOf(outbox)).toEqual([]);
      await expect.poll(() => answer).not.toBeNull();
      await (answer as Route | null)?.fulfill({ body: "" });
      await page.waitForFunction(() => "isAnswered" in window);
      await pass(TRACE_IDLE_MS - 1);
      expect(endsOf(outbox)).toEqual([]);
      await pass(1);
      await expect.poll(() => endsOf(outbox)).toEqual([["/signup", "idleTimeout"]]);
    });
  });

  test("TRACE_CHILD_SPAN_MS after its last span began, if that is still open", async () => {
    await inTimelessPage(async (timeless) => {
      const { page, outbox, pass } = timeless;
      await advance(timeless);
      // The page's own requests are over by then.
      await pass(TRACE_IDLE_MS / 2);
      await ask(page, "/never");
      await pass(TRACE_CHILD_SPAN_MS - 1);
      expect(endsOf(outbox)).toEqual([]);
      await pass(1);
      await expect.poll(() => endsOf(outbox)).toEqual([["/signup", "heartbeatFailed"]]);
    });
  });

  test("TRACE_FINAL_MS after it began, even if spans are open", async () => {
    await inTimelessPage(async (timeless) => {
      const { page, outbox, pass } = timeless;
      await advance(timeless);
      for (const path of ["/never-1", "/never-2", "/never-3"]) {
        await ask(page, path);
        await pass(path === "/never-3" ? TRACE_FINAL_MS / 3 - 1 : TRACE_FINAL_MS / 3);
        expect(endsOf(outbox)).toEqual([]);
      }
      await pass(1);
      await expect.poll(() => endsOf(outbox)).toEqual([["/signup", "finalTimeout"]]);
    });
  });
});

test("logs are sent together, LOG_FLUSH_IDLE_MS after the first of them", async () => {
  await inTimelessPage(async ({ page, outbox, pass }) => {
    await page.evaluate(() => {
      // What isn't reported as an error isn't reported as a log.
      console.error("Failed to fetch manifest patches", new TypeError("Failed to fetch"));
      console.warn("first");
    });
    await pass(LOG_FLUSH_IDLE_MS - 1_000);
    await page.evaluate(() => console.warn("second"));
    await pass(999);
    expect(outbox.of("log")).toEqual([]);
    await pass(1);
    await expect.poll(() => outbox.of("log").length).toBe(1);
    const logs = JSON.stringify(outbox.of("log"));
    expect(logs).toMatch(/first.*second/);
    expect(logs).toContain('"infer_ip":"never"');
    expect(logs).not.toContain("manifest");
  });
});

test("an error includes LINKED_ERRORS_MAX of its causes", async () => {
  await inTimelessPage(async ({ page, outbox }) => {
    await page.evaluate(() => {
      let error = new Error("cause 7");
      for (let number = 6; number >= 0; number--) error = new Error(`cause ${number}`, { cause: error });
      queueMicrotask(() => {
        throw error;
      });
    });
    await expect.poll(() => outbox.messages).toEqual(["cause 0"]);
    // As the protocol has it: the innermost first.
    const [{ values }] = outbox.of("event").map(({ exception }) => exception) as [{ values: { value: string }[] }];
    const causes = Array.from({ length: LINKED_ERRORS_MAX }, (_, index) => `cause ${LINKED_ERRORS_MAX - index}`);
    expect(values.map(({ value }) => value)).toEqual([...causes, "cause 0"]);
  });
});

test("up to SEND_QUEUE_EVENTS_MAX events are pending to TUNNEL_PATH, and any more are dropped", async () => {
  await inTimelessPage(async ({ page, outbox }) => {
    const held: Route[] = [];
    await page.route(`**${TUNNEL_PATH}`, (route) => void held.push(route));
    const messages = Array.from({ length: SEND_QUEUE_EVENTS_MAX + 6 }, (_, index) => `bug ${index}`);
    await breakPage(page, ...messages);
    await expect.poll(() => held.length).toBe(SEND_QUEUE_EVENTS_MAX);
    await page.unroute(`**${TUNNEL_PATH}`);
    const answered = page.waitForResponse(`**${TUNNEL_PATH}`);
    await Promise.all(held.map((route) => route.fulfill({ body: "{}" })));
    await answered;
    await breakPage(page, "a bug when there is room again");
    await expect.poll(() => outbox.messages.at(-1)).toBe("a bug when there is room again");
    // Sixty-four simultaneous requests arrive in any order.
    const sent = [...messages.slice(0, SEND_QUEUE_EVENTS_MAX), "a bug when there is room again"];
    expect(outbox.messages.toSorted()).toEqual(sent.toSorted());
  });
});

test("a refusal without a time pauses the page for DEFAULT_BACKOFF_MS", async () => {
  await inTimelessPage(async ({ page, outbox, pass }) => {
    await page.route(`**${TUNNEL_PATH}`, (route) => route.fulfill({ status: 429 }), { times: 1 });
    const refused = page.waitForResponse(`**${TUNNEL_PATH}`);
    await breakPage(page, "refused");
    await refused;
    await pass(DEFAULT_BACKOFF_MS - 100);
    await breakPage(page, "in the pause");
    await pass(100);
    await breakPage(page, "after the pause");
    await expect.poll(() => outbox.messages).toEqual(["refused", "after the pause"]);
  });
});
