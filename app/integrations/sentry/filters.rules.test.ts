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
  withErrorMessage,
} from "./filters.rules.ts";
import noise from "#tests/vectors/noisy-errors.json" with { type: "json" };

const withDigest = (digest: string): Error => Object.assign(new Error("x"), { digest });

describe("a redirect signal", () => {
  test.each([
    ["a redirect", redirect("/plans")],
    ["a 308", new Response(null, { status: 308, headers: { Location: "/" } })],
    ["an error with React Router's digest", withDigest("REACT_ROUTER_ERROR:REDIRECT:{}")],
    ["an error whose cause is a redirect", new Error("a", { cause: new Error("b", { cause: redirect("/plans") }) })],
    ["an error whose cause has the digest", new Error("a", { cause: withDigest("REACT_ROUTER_ERROR:REDIRECT") })],
  ])("is recognised: %s", (_name, error) => {
    expect(isRedirectSignal(error)).toBe(true);
    expect(isReportable(error)).toBe(false);
  });

  test("is searched for in a cyclic chain of causes without looping", () => {
    const error = new Error("a");
    error.cause = error;
    expect(isRedirectSignal(error)).toBe(false);
  });
});

describe("the error filter", () => {
  test.each([
    ["the router's 404", new ErrorResponse(404, "Not Found", "no route", true)],
    ["the router's 405", new ErrorResponse(405, "Method Not Allowed", new Error("no action"), true)],
    ["the router's 400", new ErrorResponse(400, "Bad Request", "x", true)],
    ["a thrown 404 of ours", data("Not found", { status: 404 })],
    ["a thrown 403 Response", new Response(null, { status: 403 })],
    ["an aborted request", new DOMException("The operation was aborted", "AbortError")],
  ])("drops %s", (_name, error) => {
    expect(isReportable(error)).toBe(false);
  });

  test.each([
    ["an error", new Error("boom")],
    ["an error that carries a status of its own", Object.assign(new Error("D1"), { status: 404, data: {} })],
    ["a thrown 500 Response", new Response(null, { status: 500 })],
    ["a router answer of 500", new ErrorResponse(500, "Internal", new Error("boom"), true)],
    ["a string", "boom"],
    ["nothing at all", undefined],
  ])("reports %s", (_name, error) => {
    expect(isReportable(error)).toBe(true);
  });

  test("reports a thrown Response as text, not as [object Response]", () => {
    expect(asError(new Response(null, { status: 503 }))).toEqual(new Error("A Response with status 503 was thrown"));
  });

  test("replaces a Response that the SDK turned into an event with the same text, in place of the outermost error", () => {
    const event = () => ({
      message: "[object Response]",
      exception: { values: [{ value: "inner" }, { type: "x", value: "[object Response]" }] },
    });
    const outermost = { type: "Error", value: "A Response with status 503 was thrown" };
    expect(withErrorMessage(event(), new Response(null, { status: 503 }))).toEqual({
      exception: { values: [{ value: "inner" }, outermost] },
    });
    expect(withErrorMessage(event(), new Error("mine"))).toEqual(event());
  });

  test("reports the error inside a router response", () => {
    const inner = new Error("inner");
    expect(asError(new ErrorResponse(500, "x", inner, true))).toBe(inner);
  });
});

describe("a duplicate", () => {
  const event = (value: string, lineno = 1) => ({
    exception: {
      values: [
        { type: "Error", value, stacktrace: { frames: [{ filename: "a.js", function: "f", lineno, colno: 2 }] } },
      ],
    },
  });

  test("is an event equal to one of the last 20, not to an older one", () => {
    const recent: string[] = [];
    const isNews = (value: string): boolean => !isRepeated(recent, eventKey(event(value)), 20);
    expect(isNews("first")).toBe(true);
    for (let index = 0; index < 19; index++) expect(isNews(`other ${index}`)).toBe(true);
    expect(isNews("first")).toBe(false);
    expect(isNews("one more")).toBe(true);
    expect(isNews("first")).toBe(true);
    expect(recent.length).toBe(20);
  });

  test("is not an event with another line, message or fingerprint", () => {
    const keys = [event("a"), event("b"), event("a", 2), { ...event("a"), fingerprint: ["x"] }, { message: "a" }].map(
      eventKey,
    );
    expect(new Set(keys).size).toBe(5);
  });
});

describe("the noise filter", () => {
  const isNoise = (message: string): boolean => NOISY_ERRORS.some((pattern) => pattern.test(message));

  test.each(noise.ours)("drops %s", (message) => {
    expect(isNoise(message)).toBe(true);
  });

  test("has only patterns for messages that have occurred", () => {
    expect(NOISY_ERRORS.filter((pattern) => !noise.ours.some((message) => pattern.test(message)))).toEqual([]);
  });

  test.each(noise.bugs)("keeps %s, which is ours", (message) => {
    expect(isNoise(message)).toBe(false);
  });
});

describe("traces of pages", () => {
  test("are dropped for paths that aren't pages, with any status that a scanner gets", () => {
    const statuses = [200, 303, 400, 403, 404, 405, 409, 422, 429, 500, undefined];
    expect(statuses.filter(isNoPage)).toEqual([400, 403, 404, 405]);
  });
});
