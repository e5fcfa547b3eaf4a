import { once } from "node:events";
import * as Sentry from "@sentry/cloudflare";
import { redirect } from "react-router";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { settingsFromEnv } from "#workers/monitoring/rules.ts";
import { type Received, SentryReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { reportBug, reportFailedCommand } from "./report-bug.server.ts";
import { workerSdkOptions } from "./sdk-options.server.ts";
import { withErrorReporting } from "./with-error-reporting.server.ts";
import { isToBeTraced } from "./reported-requests.server.ts";
import { tripWatch } from "./trip-watch.server.ts";

const receiver = new SentryReceiver();
beforeAll(() => receiver.listen());
afterAll(() => receiver.close());
// The SDK has one client per isolate, and this process is one: the receiver's DSN stays the same throughout.
beforeEach(() => {
  receiver.received.length = 0;
});

describe("the Worker's SDK", () => {
  const handler = {
    fetch: vi.fn((_request: Request): Promise<Response> => Promise.resolve(new Response("page"))),
    queue: vi.fn(() => Promise.resolve()),
    scheduled: vi.fn(() => Promise.resolve()),
  };
  const site = withErrorReporting(handler);

  /** `run` is null if the response is prepared already. */
  async function call(
    run: (() => unknown) | null,
    env = { SENTRY_DSN: receiver.dsn, SENTRY_RELEASE: "r1", SENTRY_TRACES_SAMPLE_RATE: "1" },
    headers: HeadersInit = {},
  ): Promise<void> {
    if (run !== null) {
      handler.fetch.mockImplementationOnce(async () => {
        await run();
        return new Response("page");
      });
    }
    const background: Promise<unknown>[] = [];
    // The part of Cloudflare's context that the SDK uses.
    const ctx = {
      waitUntil: (promise: Promise<unknown>) => void background.push(promise),
      passThroughOnException: () => undefined,
      props: {},
    };
    const request = new Request("https://foyer.example/orders/ord_1?code=777888", { headers });
    const response = await site.fetch(request, env, ctx as ExecutionContext);
    // The SDK sends once the response has been read to its end.
    await response.text();
    const isQuiet = env.SENTRY_DSN === "" || new Headers(headers).get("sentry-trace")?.endsWith("-0");
    await vi.waitFor(() => expect(background.length > 0 || isQuiet).toBe(true));
    await Promise.all(background);
  }

  function itemsOf(received: readonly Received[]): { type: string; payload: string }[] {
    return received.flatMap(({ text }) => {
      const [, ...lines] = text.split("\n");
      return lines.flatMap((line, index) =>
        index % 2 === 0 ? [{ type: String(JSON.parse(line).type), payload: lines[index + 1] ?? "" }] : [],
      );
    });
  }

  test("is not initialised without a DSN", async () => {
    let client: unknown = "not called";
    await call(() => (client = Sentry.getClient()), {
      SENTRY_DSN: "",
      SENTRY_RELEASE: "",
      SENTRY_TRACES_SAMPLE_RATE: "",
    });
    expect(client).toBeUndefined();
    expect(receiver.received).toEqual([]);
  });

  test("uses the configured send queue, and reports an error once, with route and reference id and without the query", async () => {
    const error = new Error("broke for ada@mail.example at /x?code=777888", { cause: new Error("inner") });
    let bufferSize: unknown;
    await call(() => {
      bufferSize = Sentry.getClient()?.getOptions().transportOptions?.bufferSize;
      reportBug(error, { routePattern: "/orders/:id", referenceId: "ref0123456" });
      reportBug(error, { routePattern: "/orders/:id", referenceId: "ref0123456" });
    });
    expect(bufferSize).toBe(64);
    const events = itemsOf(receiver.received).filter(({ type }) => type === "event");
    expect(events.length).toBe(1);
    expect(JSON.parse(events[0]?.payload ?? "")).toMatchObject({
      release: "r1",
      tags: { reference_id: "ref0123456", route: "/orders/:id" },
      request: { url: "https://foyer.example/orders/ord_1" },
      exception: { values: [{ value: "inner" }, { value: "broke for [address] at /x" }] },
    });
    expect(receiver.received.map(({ text }) => text).join()).not.toMatch(/777888|ada@/);
  });

  test("includes five of an error's causes, sends logs with their request, and sets no timer", async () => {
    let flushInterval: unknown;
    await call(() => {
      // Not a settable option; the SDK stores it among those that are.
      flushInterval = Reflect.get(Sentry.getClient()?.getOptions() ?? {}, "_flushInterval");
      let error = new Error("cause 7");
      for (let number = 6; number >= 0; number--) error = new Error(`cause ${number}`, { cause: error });
      reportBug(error, { routePattern: "/", referenceId: "ref0123456" });
      reportFailedCommand("send-mail", "refused");
    });
    expect(flushInterval).toBe(0);
    const items = itemsOf(receiver.received);
    const { exception } = JSON.parse(items.find(({ type }) => type === "event")?.payload ?? "");
    const messages = exception.values.map(({ value }: { value: string }) => value);
    expect(messages).toEqual(["cause 5", "cause 4", "cause 3", "cause 2", "cause 1", "cause 0"]);
    expect(items.filter(({ type }) => type === "log").length).toBe(1);
  });

  test("sends reports to the receiver's own address only and follows no redirect", async () => {
    receiver.plan({ kind: "redirect", to: `${receiver.origin}/api/${receiver.project}/elsewhere` });
    await call(() => reportBug(new Error("broke"), { routePattern: "/", referenceId: "ref0123456" }));
    expect(receiver.received.map(({ path }) => path).filter((path) => path.includes("elsewhere"))).toEqual([]);
    expect(receiver.received.length).toBeGreaterThan(0);
  });

  test("never reports redirects, responses and aborted requests", async () => {
    await call(() => {
      for (const error of [
        redirect("/plans"),
        new Response(null, { status: 404 }),
        new DOMException("left", "AbortError"),
      ]) {
        reportBug(error, { routePattern: "/", referenceId: "ref0123456" });
      }
    });
    expect(itemsOf(receiver.received).filter(({ type }) => type === "event")).toEqual([]);
  });

  test("drops traces of pages that don't exist, and sends those of pages that do", async () => {
    await call(() => undefined);
    for (const status of [400, 403, 404, 405]) {
      handler.fetch.mockResolvedValueOnce(new Response("no", { status }));
      await call(null);
    }
    const names = itemsOf(receiver.received).filter(({ type }) => type === "transaction");
    expect(names.length).toBe(1);
  });

  test("creates a span for each database round trip of a traced request, and none for work after the response", async () => {
    const page = new EventTarget();
    let late: Promise<unknown> | undefined;
    await call(async () => {
      const watch = tripWatch();
      expect(await watch?.(["select ?\n  as one"], async () => "told")).toBe("told");
      await expect(
        watch?.(["select nothing", "select more"], () => Promise.reject(new Error("broke"))),
      ).rejects.toThrow("broke");
      late = once(page, "answered").then(() => watch?.(["select late"], async () => "told late"));
    });
    page.dispatchEvent(new Event("answered"));
    expect(await late).toBe("told late");
    await call(() => undefined);
    const traces = itemsOf(receiver.received).filter(({ type }) => type === "transaction");
    const spans = traces.map(
      ({ payload }): { op: string; description: string; status: string }[] => JSON.parse(payload).spans,
    );
    expect(spans.map((own) => own.map(({ op, description, status }) => [op, description, status]))).toEqual([
      [
        ["db.query", "select ? as one", "ok"],
        ["db.query", "D1 batch", "internal_error"],
      ],
      [],
    ]);
  });

  test("creates no spans for requests that aren't traced, and leaves our bindings unchanged", async () => {
    const env = { SENTRY_DSN: receiver.dsn, SENTRY_RELEASE: "r1", SENTRY_TRACES_SAMPLE_RATE: "1" };
    const seen: unknown[] = [];
    const untraced = { "sentry-trace": `${"a".repeat(32)}-${"b".repeat(16)}-0` };
    await call(() => seen.push(tripWatch()), env, untraced);
    expect(seen).toEqual([null]);
    expect((handler.fetch.mock.lastCall as unknown[])[1]).toBe(env);
  });

  test("asks the receiver to store no address, since the platform adds the visitor's address to every request of a Worker", async () => {
    await call(() => reportBug(new Error("broke"), { routePattern: "/", referenceId: "ref0123456" }));
    const items = itemsOf(receiver.received).filter(({ type }) => type !== "client_report");
    const settings = items.map(({ type, payload }) => [type, JSON.parse(payload).sdk.settings.infer_ip]);
    expect(settings.sort()).toEqual([
      ["event", "never"],
      ["transaction", "never"],
    ]);
  });

  test("records no headers, cookies, addresses or queries in spans, even if a later SDK version collects them", async () => {
    const attributes = {
      "http.response.header.set_cookie.__Host-session": "collected-1",
      "http.response.header.set-cookie": "__Host-session=collected-2",
      "http.request.header.cookie.__Host-session": "collected-3",
      "http.request.header.authorization": "collected-4",
      "client.address": "192.0.2.7",
      "url.query": "?token=collected-5",
      "url.full": "https://foyer.example/verify?code=collected-6#collected-7",
      "http.target": "/verify?code=collected-8",
    };
    await call(() => {
      Sentry.getActiveSpan()?.setAttributes(attributes);
      Sentry.startSpan(
        { name: "GET https://foyer.example/x?token=collected-9", op: "http.client", attributes },
        () => undefined,
      );
    });
    const traces = itemsOf(receiver.received).filter(({ type }) => type === "transaction");
    expect(traces.map(({ payload }) => JSON.parse(payload).spans.length)).toEqual([1]);
    expect(traces.map(({ payload }) => payload).join()).not.toMatch(/collected|set.cookie|192\.0\.2\.7/);
  });

  test("drops the trace of a query that has lost the trace it belongs to", async () => {
    await call(() => {
      for (const op of ["db.query", "http.client"])
        Sentry.startSpan({ name: "lost", op, parentSpan: null }, () => undefined);
    });
    const traces = itemsOf(receiver.received).filter(({ type }) => type === "transaction");
    expect(traces.map(({ payload }) => JSON.parse(payload).contexts.trace.op)).toEqual(["http.server"]);
  });

  test("sends failed commands as logs, not as events", async () => {
    await call(() => reportFailedCommand("send-mail", "refused for ada@mail.example"));
    const items = itemsOf(receiver.received);
    expect(items.find(({ type }) => type === "log")?.payload).toContain("act send-mail failed: refused for [address]");
    expect(items.filter(({ type }) => type === "event")).toEqual([]);
  });
});

test("settings in the environment reach both SDKs", () => {
  const env = { SENTRY_DSN: receiver.dsn, SENTRY_ENVIRONMENT: "local", SENTRY_TRACES_SAMPLE_RATE: "0.1" };
  const { environment, tracesSampleRate } = settingsFromEnv(env);
  const { tracesSampler, ...others } = workerSdkOptions(env);
  expect(others).toMatchObject({ environment });
  // A cron job has no request.
  expect(tracesSampler?.({} as Parameters<typeof tracesSampler>[0])).toBe(tracesSampleRate);
});

const traceId = "a".repeat(32);
const trace = (flag: string) => ({ "sentry-trace": `${traceId}-${"b".repeat(16)}${flag}` });
const place = { routePattern: "/orders/:id", referenceId: "ref0123456" };

type Options = { headers?: Record<string, string>; method?: string; rate?: string };

/** Sends a request whose handler calls `run`, and waits for everything that was begun for it. */
async function handle(
  run: (ctx: ExecutionContext) => unknown,
  { headers = {}, method = "GET", rate = "0" }: Options = {},
) {
  const env = { SENTRY_DSN: receiver.dsn, SENTRY_RELEASE: "r1", SENTRY_TRACES_SAMPLE_RATE: rate };
  const site = withErrorReporting<typeof env>({
    async fetch(_request, _env, ctx) {
      await run(ctx);
      return new Response("page");
    },
    scheduled: () => Promise.resolve(),
    queue: async () => undefined,
  });
  const background: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => void background.push(promise);
  const ctx = { waitUntil, passThroughOnException: () => undefined, props: {} } as ExecutionContext;
  const request = new Request("https://foyer.example/orders/ord_1?code=777888", { headers, method });
  const answer = await site.fetch(request, env, ctx).then(
    (response) => response.text(),
    (error: unknown) => error,
  );
  // Each may begin another.
  for (let done = 0; done < background.length; done++) await background[done];
  return answer;
}

/** The parts of what has arrived, and the trace that each was sent with. */
function arrived() {
  return receiver.received.flatMap(({ text }) => {
    const [header = "", ...lines] = text.split("\n");
    return lines.flatMap((line, index) =>
      index % 2 === 0
        ? [
            {
              type: String(JSON.parse(line).type),
              of: JSON.parse(header).trace,
              sent: JSON.parse(lines[index + 1] ?? "{}"),
            },
          ]
        : [],
    );
  });
}

test.each([
  ["continued as traced", "GET", trace("-1"), 0, 0.5, true],
  ["continued as not traced", "GET", trace("-0"), 1, 0.5, false],
  ["continued without a decision", "GET", trace(""), 0.6, 0.5, true],
  ["new, within the rate", "POST", {}, 0.1, 0.05, true],
  ["new, beyond the rate", "GET", {}, 0.1, 0.1, false],
  ["new, without tracing", "GET", {}, 0, 0, false],
  ["one that the SDK skips", "HEAD", trace("-1"), 1, 0, false],
] as const)("a request whose trace is %s", (_what, method, headers, rate, chance, isTraced) => {
  expect(isToBeTraced({ method, headers: new Headers(headers) }, rate, chance)).toBe(isTraced);
});

test.each([
  ["while it is handled", () => reportBug(new Error("broke"), place), {}],
  ["in work that goes on after its answer", (ctx: ExecutionContext) => ctx.waitUntil(later()), {}],
  ["when only headers are wanted", () => reportBug(new Error("broke"), place), { method: "HEAD" }],
])("an error of a request that isn't traced is reported: %s", async (_when, run, options: Options) => {
  let client: unknown = "unset";
  const isFirst = Sentry.getClient() === undefined;
  await handle(
    (ctx) => {
      client = Sentry.getClient();
      return run(ctx);
    },
    { headers: trace("-0"), ...options },
  );
  expect([isFirst, client]).toEqual([true, undefined]);
  await vi.waitFor(() => expect(arrived().map(({ type }) => type)).toEqual(["event"]));
  expect(arrived()[0]?.sent).toMatchObject({
    release: "r1",
    transaction: place.routePattern,
    tags: { reference_id: place.referenceId, route: place.routePattern },
    request: { url: "https://foyer.example/orders/ord_1" },
    contexts: { trace: { trace_id: traceId } },
    exception: { values: [{ value: "broke", mechanism: { handled: false } }] },
  });
});

async function later(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  reportBug(new Error("broke"), place);
}

test("an error that leaves the handler is reported and thrown on", async () => {
  const error = new Error("left");
  expect(await handle(() => Promise.reject(error))).toBe(error);
  expect(arrived().map(({ type, sent }) => [type, sent.exception?.values[0].mechanism])).toEqual([
    ["event", { handled: false, type: "auto.http.cloudflare" }],
  ]);
});

test("a failed command is logged at the receiver, too", async () => {
  await handle(() => reportFailedCommand("send-mail", "refused"));
  expect(arrived().map(({ type }) => type)).toEqual(["log"]);
});

test("a trace says at which rate requests are traced, unless a browser began it", () => {
  const { beforeSendTransaction } = workerSdkOptions({ SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0.25" });
  const sent = (parent: object) => {
    const trace = { trace_id: traceId, span_id: "b".repeat(16), data: { "sentry.sample_rate": 1 }, ...parent };
    const sdkProcessingMetadata = { dynamicSamplingContext: { trace_id: traceId, sample_rate: "1" } };
    return beforeSendTransaction?.({ type: "transaction", contexts: { trace }, sdkProcessingMetadata }, {});
  };
  const rate = (value: unknown, text: string) => ({
    contexts: { trace: { data: { "sentry.sample_rate": value } } },
    sdkProcessingMetadata: { dynamicSamplingContext: { trace_id: traceId, sample_rate: text } },
  });
  expect(sent({})).toMatchObject(rate(0.25, "0.25"));
  expect(sent({ parent_span_id: "c".repeat(16) })).toMatchObject(rate(1, "1"));
});
