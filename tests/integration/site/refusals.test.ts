import { describe, expect, test } from "vitest";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";
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
    refuseMisconfigured(new Request("https://foyer.example/login"), ["a problem"], {}, mode),
    withErrorPage(new Response(null, { status: 500 }), { referenceId: "ref", ...mode }),
  ];
  for (const page of pages) {
    const { label, text } = testModeMessages.en;
    expect((await page?.text())?.includes(`${label}: ${text}`)).toBe(isTestMode);
  }
});

test("while something is missing, the home page lists names and commands, and every other page neither", async () => {
  const secret = "a-secret-of-this-test";
  const problems = ["CODE_PEPPER is missing", `VISIT_SECRET is not "${secret}"`];
  const variables = { PUBLIC_ORIGIN: "https://foyer.example", VISIT_SECRET: secret };
  const open = (path: string) =>
    refuseMisconfigured(new Request(`https://foyer.example${path}`), problems, variables, { isTestMode: false });
  const [home, other] = [open("/"), open("/login")];
  expect([home.status, other.status]).toEqual([503, 503]);
  const { states } = plainPagesMessages.en.setUp;
  const shown = await home.text();
  expect(shown).toContain(
    `CODE_PEPPER</th><td>${states.missing}</td><td><code>npm run secrets -- --save ../secrets.json</code></td>`,
  );
  expect(shown).toContain(`PUBLIC_ORIGIN</th><td>${states.set}</td><td></td>`);
  expect(shown).toContain(`VISIT_SECRET</th><td>${states.wrong}</td>`);
  expect(shown).toContain('http-equiv="refresh"');
  expect(shown).not.toContain(secret);
  expect(await other.text()).not.toContain("CODE_PEPPER");
});
