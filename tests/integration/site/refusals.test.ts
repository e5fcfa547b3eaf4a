import { describe, expect, test } from "vitest";
import { testModeMessages } from "#app/modules/email/messages/test-mode.messages.ts";
import { refuseForeignOrigin, refuseMisconfigured, refusePlainHttp, withErrorPage } from "#workers/error-responses.ts";

/** The local runtime's proxy corrects an Origin that differs in scheme alone, so this is tested without one. */
describe("a state change must come from our own origin", () => {
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
    expect(refuseForeignOrigin(request, { isTestMode: false })?.status ?? null).toBe(status);
  });
});

/** The pages that a running site can't be made to show; tests/http/site/test-mode.test.ts requests the others. */
test.each([true, false])("a plain page shows that the site is in test mode: %s", async (isTestMode) => {
  const mode = { isTestMode };
  const form = new Request("http://foyer.example/login", { method: "POST" });
  const pages = [
    refusePlainHttp(form, "https://foyer.example", mode),
    refuseMisconfigured(["a problem"], mode),
    withErrorPage(new Response(null, { status: 500 }), { referenceId: "ref", ...mode }),
  ];
  for (const page of pages) {
    const { label, text } = testModeMessages.en;
    expect((await page?.text())?.includes(`${label}: ${text}`)).toBe(isTestMode);
  }
});
