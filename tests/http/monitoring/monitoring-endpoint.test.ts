import { describe, expect, onTestFinished, test } from "vitest";
import { VIOLATIONS_PATH } from "#workers/monitoring/constants.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";

/** The tunnel in the real site: before everything else, and outside of the site's own SDK. */
const receiver = useReceiver();
const site = useSite(() => {
  const vars = { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "1" };
  return { stripe: false, migrate: false, vars };
});

const envelope = (message: string): string => `{"dsn":"${receiver.dsn}"}\n{"type":"event"}\n{"message":"${message}"}`;
const send = (body: string): Promise<Response> => site.fetch("/monitoring", { method: "POST", body });

function expectSecured({ headers }: Response): void {
  expect(headers.get("Strict-Transport-Security")).toContain("max-age=");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toContain("script-src 'none'");
  expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("Set-Cookie")).toBeNull();
}

describe("with a database that isn't migrated", () => {
  test("the site reports it, and the tunnel still works", async () => {
    expect((await site.fetch("/")).status).toBe(503);
    const taken = await send(envelope("while the app is created"));
    expect([taken.status, await taken.json()]).toEqual([200, {}]);
    expectSecured(taken);
    expect(taken.headers.get("Content-Type")).toBe("application/json");
  });

  test.each<[string, RequestInit, number]>([
    ["a method that isn't meant", { method: "GET" }, 405],
    ["a foreign page", { method: "POST", headers: { Origin: "https://evil.example" } }, 403],
    ["words", { method: "POST", body: "words" }, 400],
    [
      "another project's DSN",
      { method: "POST", body: '{"dsn":"https://k@evil.example/1"}\n{"type":"event"}\n{}' },
      403,
    ],
  ])("%s is refused by the tunnel itself, with the usual headers, and isn't cached", async (_name, init, status) => {
    const refused = await site.fetch("/monitoring", init);
    expect([refused.status, refused.headers.get("Content-Type")]).toEqual([status, "application/json"]);
    expectSecured(refused);
    expect(refused.headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("policy reports", () => {
  const report = { method: "POST", headers: { "Content-Type": "application/csp-report" }, body: '{"csp-report":{}}' };

  test("are requested by every page, and accepted before everything else", async () => {
    for (const path of ["/", "/login", "/nothing", "/healthz"]) {
      const { headers } = await site.fetch(path);
      expect(headers.get("Reporting-Endpoints")).toBe(`policy="${VIOLATIONS_PATH}"`);
      const directives = headers.get("Content-Security-Policy")?.split("; ") ?? [];
      expect(directives.slice(-2)).toEqual([`report-uri ${VIOLATIONS_PATH}`, "report-to policy"]);
    }
    const taken = await site.fetch(VIOLATIONS_PATH, report);
    expect([taken.status, taken.headers.get("Set-Cookie")]).toEqual([204, null]);
    expectSecured(taken);
    expect((await site.fetch(VIOLATIONS_PATH)).status).toBe(405);
  });

  test("are neither requested nor accepted while diagnostics are off", async () => {
    const off = await startSite({ stripe: false, vars: { SENTRY_DSN: "" } });
    onTestFinished(() => off.close());
    const { headers } = await off.fetch("/login");
    expect([headers.get("Reporting-Endpoints"), headers.get("Content-Security-Policy")]).toEqual([
      null,
      expect.not.stringContaining("report"),
    ]);
    expect((await off.fetch(VIOLATIONS_PATH)).status).toBe(404);
    const own = { ...report, headers: { ...report.headers, Origin: off.origin } };
    expect((await off.fetch(VIOLATIONS_PATH, own)).status).toBe(404);
  });
});

test("a request of the tunnel sends no event or trace about itself, only what was sent to it", async () => {
  const sent = ["first of two", "second of two"].map(envelope);
  for (const body of sent) expect((await send(body)).status).toBe(200);
  expect((await send("words")).status).toBe(400);
  // Every trace is sampled here: that of a page shows that the site's SDK is at work, and comes after all of these.
  await site.fetch("/login?the=page");
  const isPage = (text: string): boolean => text.includes('"type":"transaction"') && text.includes("/login");
  await expect.poll(() => receiver.received.some(({ text }) => isPage(text))).toBe(true);
  const bodies = receiver.received.map(({ text }) => text);
  expect(bodies.filter((text) => sent.includes(text)).sort()).toEqual(sent);
  const rest = bodies.filter((text) => !sent.includes(text) && !text.includes("while the app is created"));
  expect(rest.every((text) => text.includes('"type":"transaction"'))).toBe(true);
  expect(rest.join("\n")).not.toContain("monitoring");
});
