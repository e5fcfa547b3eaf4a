import { describe, expect, test } from "vitest";
import { answerFixed } from "#workers/fixed-answers.ts";

const ask = (path: string, method = "GET") => answerFixed(new Request(`https://foyer.example${path}`, { method }));

describe("what browsers and password managers ask for by themselves", () => {
  test.each([
    ["/favicon.ico", 301, "https://foyer.example/favicon.svg"],
    ["/.well-known/change-password", 302, "https://foyer.example/settings/security"],
    ["/apple-touch-icon.png", 404, null],
    ["/apple-touch-icon-precomposed.png", 404, null],
    ["/assets/page-0a1b2c3d.css", 404, null],
  ])("is answered without a page: %s", async (path, status, location) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = ask(path, method);
      expect([answer?.status, answer?.headers.get("Location"), await answer?.text()]).toEqual([status, location, ""]);
    }
  });

  test.each(["/", "/favicon.svg", "/settings/security", "/.well-known/security.txt", "/assets/", "/assets/x"])(
    "leaves %s to the site",
    (path) => expect(ask(path)).toBeNull(),
  );

  test("leaves everything that is sent to the site", () => {
    for (const path of ["/favicon.ico", "/assets/page-0a1b2c3d.js"]) expect(ask(path, "POST")).toBeNull();
  });
});

test("a script of an earlier build is a module that no cache keeps", () => {
  const { status, headers } = ask("/assets/page-0a1b2c3d.js") ?? new Response(null, { status: 500 });
  expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  // Browsers run no module of another type.
  expect(headers.get("Content-Type")).toMatch(/^text\/javascript\b/);
});
