import * as fc from "fast-check";
import { data, redirect, UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { describe, expect, test } from "vitest";
import {
  asError,
  eventKey,
  isRedirectSignal,
  isRepeated,
  isReportable,
  NOISY_ERRORS,
  scrubText,
  withoutPersonalData,
} from "./filters.rules.ts";

const withDigest = (digest: string): Error => Object.assign(new Error("x"), { digest });

describe("redirect signals", () => {
  test.each([
    ["a redirect", redirect("/plans")],
    ["a 308", new Response(null, { status: 308, headers: { Location: "/" } })],
    ["an error with React Router's digest", withDigest("REACT_ROUTER_ERROR:REDIRECT:{}")],
    ["an error whose cause is a redirect", new Error("a", { cause: new Error("b", { cause: redirect("/plans") }) })],
    ["an error whose cause has the digest", new Error("a", { cause: withDigest("REACT_ROUTER_ERROR:REDIRECT") })],
  ])("%s is one", (_name, error) => {
    expect(isRedirectSignal(error)).toBe(true);
    expect(isReportable(error)).toBe(false);
  });

  test("a chain of causes that bites its tail ends", () => {
    const error = new Error("a");
    error.cause = error;
    expect(isRedirectSignal(error)).toBe(false);
  });
});

describe("what is no bug", () => {
  test.each([
    ["the router's 404", new ErrorResponse(404, "Not Found", "no route", true)],
    ["the router's 405", new ErrorResponse(405, "Method Not Allowed", new Error("no action"), true)],
    ["the router's 400", new ErrorResponse(400, "Bad Request", "x", true)],
    ["a thrown 404 of ours", data("Not found", { status: 404 })],
    ["a thrown 403 Response", new Response(null, { status: 403 })],
    ["an aborted request", new DOMException("The operation was aborted", "AbortError")],
  ])("%s", (_name, error) => {
    expect(isReportable(error)).toBe(false);
  });

  test.each([
    ["an error", new Error("boom")],
    ["an error that carries a status of its own", Object.assign(new Error("D1"), { status: 404, data: {} })],
    ["a thrown 500 Response", new Response(null, { status: 500 })],
    ["a router answer of 500", new ErrorResponse(500, "Internal", new Error("boom"), true)],
    ["a string", "boom"],
    ["nothing at all", undefined],
  ])("but %s is one", (_name, error) => {
    expect(isReportable(error)).toBe(true);
  });

  test("a thrown Response is reported in words, not as [object Response]", () => {
    expect(asError(new Response(null, { status: 503 }))).toEqual(new Error("A Response with status 503 was thrown"));
  });

  test("a router answer is reported as the error inside of it", () => {
    const inner = new Error("inner");
    expect(asError(new ErrorResponse(500, "x", inner, true))).toBe(inner);
  });
});

describe("duplicates", () => {
  const event = (value: string, lineno = 1) => ({
    exception: {
      values: [
        { type: "Error", value, stacktrace: { frames: [{ filename: "a.js", function: "f", lineno, colno: 2 }] } },
      ],
    },
  });

  test("an equal event within the last 20 is one, an older one is news again", () => {
    const recent: string[] = [];
    const isNews = (value: string): boolean => !isRepeated(recent, eventKey(event(value)), 20);
    expect(isNews("first")).toBe(true);
    for (let index = 0; index < 19; index++) expect(isNews(`other ${index}`)).toBe(true);
    expect(isNews("first")).toBe(false);
    expect(isNews("one more")).toBe(true);
    expect(isNews("first")).toBe(true);
    expect(recent.length).toBe(20);
  });

  test("another line, word or fingerprint is another event", () => {
    const keys = [event("a"), event("b"), event("a", 2), { ...event("a"), fingerprint: ["x"] }, { message: "a" }].map(
      eventKey,
    );
    expect(new Set(keys).size).toBe(5);
  });
});

describe("personal data", () => {
  test.each([
    ["https://foyer.example/verify?code=123456#x", "https://foyer.example/verify"],
    ["GET /verify?code=123456 failed", "GET /verify failed"],
    ["/orders#token=abc", "/orders"],
    [
      "fetch('https://a.example/b?c=d') and 'https://e.example/f#g'",
      "fetch('https://a.example/b and 'https://e.example/f",
    ],
    ["no account for ada.lovelace+x@mail.example.org!", "no account for [address]"],
    ["/invite/ada%40mail.example", "/invite/[address]"],
    ["in react-dom@19.3.1/client", "in react-dom@19.3.1/client"],
    ["body > main#root > button", "body > main#root > button"],
    ["what? nothing # at all", "what? nothing # at all"],
  ])("%s becomes %s", (text, scrubbed) => {
    expect(scrubText(text)).toBe(scrubbed);
  });

  test("leaves events, spans and breadcrumbs without queries and fragments wherever they stand", () => {
    const secret = "code=123456";
    const event = {
      request: {
        url: `https://a.example/verify?${secret}`,
        query_string: secret,
        headers: { Referer: `https://a.example/?${secret}` },
      },
      transaction: `/verify?${secret}`,
      breadcrumbs: [
        { category: "navigation", data: { from: `?${secret}`, to: `/x#${secret}` } },
        { category: "fetch", message: `GET https://b.example/c?${secret}`, data: { url: `/verify.data?${secret}` } },
      ],
      spans: [
        {
          description: `GET /x?${secret}`,
          data: { "http.query": `?${secret}`, "url.full": `https://a.example/x?${secret}`, "http.fragment": secret },
        },
      ],
      contexts: { trace: { data: { "url.query": secret, "http.url": `/a?${secret}` } } },
      exception: { values: [{ value: `Failed to load /x?${secret}` }] },
    };
    expect(JSON.stringify(withoutPersonalData(event))).not.toContain("123456");
    expect(event.request.query_string).toBe(secret);
  });

  test("keeps numbers, dates, lists and the shape of everything else", () => {
    const when = new Date();
    expect(withoutPersonalData({ a: [1, null, undefined, true], when, nested: { text: "as it was" } })).toEqual({
      a: [1, null, undefined, true],
      when,
      nested: { text: "as it was" },
    });
  });

  test("takes no longer for texts made to hurt", () => {
    const started = performance.now();
    for (const text of [
      "/".repeat(50_000),
      "a.".repeat(50_000),
      `${"a".repeat(50_000)}@`,
      "/?".repeat(50_000),
      "a@".repeat(50_000),
    ])
      scrubText(text);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("a query never survives in a URL, whatever stands in it", () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: false, withFragments: false }),
        fc.stringMatching(/^[0-9a-f]{12,20}$/),
        (url, secret) => {
          expect(scrubText(`see ${url}?token=${secret} and ${url}#${secret}`)).not.toContain(secret);
        },
      ),
    );
  });
});

describe("noise", () => {
  const isNoise = (message: string): boolean => NOISY_ERRORS.some((pattern) => pattern.test(message));

  test.each([
    "ResizeObserver loop limit exceeded",
    "Extension context invalidated.",
    "Could not establish connection. Receiving end does not exist.",
    "A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received",
    "undefined is not an object (evaluating 'window.webkit.messageHandlers.selectedDebugHandler.postMessage')",
    "Can't find variable: WeixinJSBridge",
    "Failed to fetch",
    "Load failed",
    "NetworkError when attempting to fetch resource.",
    "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
  ])("%s", (message) => {
    expect(isNoise(message)).toBe(true);
  });

  test.each([
    "Failed to fetch the order ord_1",
    "Load failed for plan",
    "Cannot read properties of undefined (reading 'x')",
  ])("%s is ours and stays", (message) => {
    expect(isNoise(message)).toBe(false);
  });
});
