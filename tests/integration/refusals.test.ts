import { describe, expect, test } from "vitest";
import { refuseForeignOrigin } from "#workers/error-responses.ts";

/** The local runtime's proxy mends an Origin that differs in scheme alone, so this is asked without one. */
describe("a state change must come from a page of ours", () => {
  test.each([
    ["https://foyer.example", null],
    ["http://foyer.example", 403],
    ["https://foyer.example:8443", 403],
    ["https://www.foyer.example", 403],
    ["https://foyer.example.", 403],
    ["https://FOYER.example", 403],
    ["https://foyer.example/", 403],
  ])("and %s is answered with %s", (origin, status) => {
    const request = new Request("https://foyer.example/settings", { method: "POST", headers: { Origin: origin } });
    expect(refuseForeignOrigin(request)?.status ?? null).toBe(status);
  });
});
