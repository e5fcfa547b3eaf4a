import * as Sentry from "@sentry/react";
import { describe, expect, test } from "vitest";
import * as constants from "#workers/monitoring/constants.ts";
import { browserSdkOptions } from "./browser-sdk.client.ts";

test("the eight diagnostics constants have their documented values", () => {
  expect(constants).toMatchObject({
    TUNNEL_PATH: "/monitoring",
    DEFAULT_BACKOFF_MS: 60_000,
    SEND_QUEUE_EVENTS_MAX: 64,
    LOG_FLUSH_IDLE_MS: 5_000,
    LINKED_ERRORS_MAX: 5,
    TRACE_IDLE_MS: 1_000,
    TRACE_FINAL_MS: 30_000,
    TRACE_CHILD_SPAN_MS: 15_000,
  });
});

/** Covers what the client exposes; how its options behave in a page: tests/browser/monitoring/diagnostics-constants.test.ts. */
describe("the initialised browser SDK", () => {
  const settings = { dsn: "https://key@sentry.example/42", environment: "local", release: "r1", tracesSampleRate: 1 };
  // Without a DSN the real SDK starts and this test sends nothing.
  const client = Sentry.init({ ...browserSdkOptions(settings, false), dsn: undefined });

  test("uses the tunnel, send queue, credentials and log flush that are configured", () => {
    const options: unknown = client?.getOptions();
    expect(options).toMatchObject({
      tunnel: "/monitoring",
      release: "r1",
      environment: "local",
      transportOptions: { bufferSize: 64, fetchOptions: { credentials: "omit" } },
      _flushInterval: 5_000,
    });
  });

  test("collects no personal data by default", () => {
    expect(client?.getDataCollectionOptions()).toMatchObject({
      userInfo: false,
      cookies: false,
      httpHeaders: { request: false, response: false },
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    });
  });

  test("leaves out the integrations that are replaced or unwanted", () => {
    const names = client?.getOptions().integrations.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["BrowserTracing", "LinkedErrors", "ConsoleLogs", "EventFilters"]));
    for (const name of ["Dedupe", "BrowserSession", "CultureContext"]) expect(names).not.toContain(name);
    expect(names?.filter((name) => name === "LinkedErrors").length).toBe(1);
  });
});
