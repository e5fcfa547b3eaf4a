import { describe, expect, test } from "vitest";
import * as given from "./constants.ts";
import { acceptedBody, clientSettings, headersUp, isForeign, isTunnelPath, settingsFromEnv } from "./rules.ts";

test("the eight constants have their documented values", () => {
  expect(given).toMatchObject({
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

describe("the endpoint", () => {
  test("is one exact path, with or without one trailing slash", () => {
    for (const path of ["/monitoring", "/monitoring/"]) expect(isTunnelPath(path)).toBe(true);
    for (const path of ["/monitoring//", "/monitoring/x", "/Monitoring", "//monitoring", "/monitorin", "/"]) {
      expect(isTunnelPath(path)).toBe(false);
    }
  });

  test.each([
    [{}, false],
    [{ Origin: "https://foyer.example" }, false],
    [{ "Sec-Fetch-Site": "same-origin" }, false],
    [{ "Sec-Fetch-Site": "same-origin", Origin: "https://foyer.example" }, false],
    [{ "Sec-Fetch-Site": "none" }, false],
    [{ "Sec-Fetch-Site": "cross-site" }, true],
    [{ "Sec-Fetch-Site": "same-site", Origin: "https://foyer.example" }, true],
    [{ "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" }, true],
    [{ Origin: "https://evil.example" }, true],
    [{ Origin: "http://foyer.example" }, true],
    [{ Origin: "null" }, true],
  ])("treats %j as foreign: %s", (headers, isStranger) => {
    expect(isForeign(new Headers(headers), "https://foyer.example")).toBe(isStranger);
  });
});

describe("settings", () => {
  test("turn diagnostics off with an empty environment, and send nothing to browsers", () => {
    const settings = settingsFromEnv({ SENTRY_DSN: "", SENTRY_TRACES_SAMPLE_RATE: "" });
    expect(settings).toMatchObject({ dsn: null, environment: "production", release: "", tracesSampleRate: 0 });
    expect(clientSettings(settings)).toBeNull();
  });

  test("turn diagnostics off with an invalid DSN", () => {
    expect(settingsFromEnv({ SENTRY_DSN: "https://sentry.example/42" }).dsn).toBeNull();
  });

  test("give browsers the DSN without its secret", () => {
    const env = {
      SENTRY_DSN: "https://key:secret@s.example/42",
      SENTRY_ENVIRONMENT: "local",
      SENTRY_RELEASE: "r1",
      SENTRY_TRACES_SAMPLE_RATE: "0.1",
    };
    expect(clientSettings(settingsFromEnv(env))).toEqual({
      dsn: "https://key@s.example/42",
      environment: "local",
      release: "r1",
      tracesSampleRate: 0.1,
    });
  });

  test.each([
    [undefined, 1_048_576],
    ["2000", 2_000],
    ["99999999999", 8_388_608],
    ["many", 1_048_576],
  ])("set a body cap of %s to %i bytes", (text, bytes) => {
    expect(settingsFromEnv({ SENTRY_TUNNEL_BODY_BYTES_MAX: text }).bodyBytesMax).toBe(bytes);
  });

  test("allow 10 seconds for an attempt and 25 for all attempts at one envelope", () => {
    const { attemptMs, deadlineMs, pausesMs } = settingsFromEnv({}).sending;
    expect({ attemptMs, deadlineMs, retries: pausesMs.length }).toEqual({
      attemptMs: 10_000,
      deadlineMs: 25_000,
      retries: 2,
    });
  });
});

describe("the forwarded headers", () => {
  const incoming = new Headers({
    "User-Agent": "Browser/1",
    "Sec-CH-UA-Platform": '"Linux"',
    "CF-Connecting-IP": "192.0.2.7",
    Cookie: "__Host-session=secret",
    Authorization: "Bearer secret",
    Referer: "https://foyer.example/verify?code=123456",
    "X-Sentry-Forwarded-For": "8.8.8.8",
    "X-Forwarded-For": "8.8.8.8",
    "X-Sentry-Auth": "Sentry sentry_key=forged",
  });

  test("are exactly these", () => {
    expect(Object.fromEntries(headersUp(incoming, "gzip", true))).toEqual({
      "content-type": "application/x-sentry-envelope",
      "content-encoding": "gzip",
      "user-agent": "Browser/1",
      "sec-ch-ua-platform": '"Linux"',
      "x-sentry-forwarded-for": "192.0.2.7",
    });
  });

  test("omit the visitor's address if configured", () => {
    expect(headersUp(incoming, null, false).has("x-sentry-forwarded-for")).toBe(false);
  });
});

test("only an event id is returned", () => {
  expect(acceptedBody("9ec79c33ec9942ab8353589fcb2e04dc")).toBe('{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}');
  expect(acceptedBody("<script>")).toBe("{}");
  expect(acceptedBody(undefined)).toBe("{}");
});
