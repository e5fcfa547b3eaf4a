import { data, redirect, UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { describe, expect, test } from "vitest";
import {
  asError,
  eventKey,
  isNoPage,
  isRedirectSignal,
  isRepeated,
  isReportable,
  NOISY_ERRORS,
  withMessages,
} from "./filters.rules.ts";
import noise from "#tests/vectors/noisy-errors.json" with { type: "json" };

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

describe("what isn't reported as an error", () => {
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

  test("a thrown Response is reported as text, not as [object Response]", () => {
    expect(asError(new Response(null, { status: 503 }))).toEqual(new Error("A Response with status 503 was thrown"));
  });

  test("a Response that the SDK has made an event of gets the same words, in the place of the outermost error", () => {
    const event = () => ({
      message: "[object Response]",
      exception: { values: [{ value: "inner" }, { type: "x", value: "[object Response]" }] },
    });
    const messages = { type: "Error", value: "A Response with status 503 was thrown" };
    expect(withMessages(event(), new Response(null, { status: 503 }))).toEqual({
      exception: { values: [{ value: "inner" }, messages] },
    });
    expect(withMessages(event(), new Error("mine"))).toEqual(event());
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

describe("noise", () => {
  const isNoise = (message: string): boolean => NOISY_ERRORS.some((pattern) => pattern.test(message));

  test.each(noise.ours)("%s", (message) => {
    expect(isNoise(message)).toBe(true);
  });

  test("each pattern exists for messages that have occurred", () => {
    expect(NOISY_ERRORS.filter((pattern) => !noise.ours.some((message) => pattern.test(message)))).toEqual([]);
  });

  test.each(noise.bugs)("%s is ours and stays", (message) => {
    expect(isNoise(message)).toBe(false);
  });
});

describe("pages", () => {
  test("that are no pages, with any of the answers that a scanner gets", () => {
    const statuses = [200, 303, 400, 403, 404, 405, 409, 422, 429, 500, undefined];
    expect(statuses.filter(isNoPage)).toEqual([400, 403, 404, 405]);
  });
});
