import { getTableName } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { rootMessages } from "#app/root.messages.ts";
import { breakPage, itemsOf, openWatched, type Sent, useWatched } from "#tests/browser/support/sentry-outbox.ts";
import { type Browsing, goToCheckout, payByCard, signUpForSmall, withBrowser } from "#tests/browser/support/steps.ts";
import { addresses } from "#tests/support/site/addresses.ts";

/** What is sent during a visit when every trace is kept, from the pages and from the Worker. */
const watched = useWatched({ SENTRY_TRACES_SAMPLE_RATE: "1" }, true);
let earlier = 0;
beforeEach(() => {
  earlier = watched.receiver.received.length;
});

/** Of pages, not of the Worker: browsers have their own name. The count of what a page didn't send is not a trace. */
function sentByPages(): Sent[] {
  return watched.receiver.received
    .slice(earlier)
    .filter(({ headers }) => headers["user-agent"]?.startsWith("Mozilla"))
    .flatMap(itemsOf)
    .filter(({ type }) => type !== "client_report");
}

function names(sent: readonly Sent[]): string[] {
  return sent.map(({ type, payload }) => `${type} ${String(payload["transaction"])}`);
}

async function untilPagesSent(name: string): Promise<void> {
  await expect.poll(() => names(sentByPages()).at(-1)).toBe(name);
}

/**
 * Clicks and keys on every element of the page: measurements of them would be sent at the latest when the page is left.
 */
async function fiddle(page: Page): Promise<void> {
  await page.getByRole("heading").first().click();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
}

function inBrowser<Result>(walk: (browsing: Browsing, origin: string) => Promise<Result>): Promise<Result> {
  return withBrowser(watched.chromium, {}, (browsing) => walk(browsing, watched.site.origin));
}

describe("a page load", () => {
  test("sends one transaction, named after its route, and nothing else, whatever is clicked and whenever it is left", async () => {
    await inBrowser(async (browsing, origin) => {
      const page = await openWatched(browsing, `${origin}/legal/terms`);
      await untilPagesSent("transaction /legal/:page");
      await fiddle(page);
      await openWatched(browsing, `${origin}/login`);
      await untilPagesSent("transaction /login");
      expect(names(sentByPages())).toEqual(["transaction /legal/:page", "transaction /login"]);
    });
  });

  test("of a missing page sends nothing, neither after clicks nor when it is left", async () => {
    await inBrowser(async (browsing, origin) => {
      for (const path of ["/nothing/here", "/legal/nothing"]) {
        const page = await openWatched(browsing, origin + path);
        await fiddle(page);
      }
      // The unsent part of a trace is sent when the page is left.
      await openWatched(browsing, `${origin}/login`);
      await untilPagesSent("transaction /login");
      expect(names(sentByPages())).toEqual(["transaction /login"]);
    });
  });
});

describe("a navigation within the site", () => {
  test("sends one transaction, named after the target route, and none if there is no page", async () => {
    await inBrowser(async (browsing, origin) => {
      const page = await openWatched(browsing, `${origin}/nothing/here`);
      await page.getByRole("link", { name: rootMessages.en.footer.terms }).click();
      await page.waitForURL("**/legal/terms");
      await untilPagesSent("transaction /legal/:page");
      // Back, which the router answers without a document.
      await page.goBack();
      await page.getByRole("heading", { name: rootMessages.en.missing.title }).waitFor();
      await page.getByRole("link", { name: rootMessages.en.footer.privacy }).click();
      await page.waitForURL("**/legal/privacy");
      await expect.poll(() => sentByPages().length).toBe(2);
      expect(names(sentByPages())).toEqual(["transaction /legal/:page", "transaction /legal/:page"]);
    });
  });
});

describe("the trace of a complete visit, from sign-up to log-out,", () => {
  const address = "ada.lovelace@example.com";

  test("contains only routes: no ids, codes, tokens, addresses, queries or fragments", async () => {
    const known = await inBrowser(async (browsing, origin) => {
      const page = await signUpForSmall(browsing, watched.site, address);
      await goToCheckout(page);
      await payByCard(page, "4242424242424242");
      await page.waitForURL("**/payment/success**");
      await untilPagesSent("transaction /payment/:status");
      await openWatched(browsing, `${origin}/settings/orders#a-fragment`);
      await page.getByRole("row").getByRole("link").first().click();
      await page.waitForURL("**/settings/orders/ord_*");
      const order = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      await breakPage(page, `No order ${order} at /settings/orders/${order} for ${address}`);
      const cookies = (await browsing.context.cookies()).map(({ value }) => value);
      await page.getByRole("button", { name: rootMessages.en.signOut }).first().click();
      await page.waitForURL((url) => !url.pathname.startsWith("/settings"));
      await untilPagesSent("transaction /");
      return [...cookies, order];
    });
    const { site, receiver } = watched;
    const codes = (await site.emailsTo(address)).flatMap(({ subject }) => /\b\d{8}\b/.exec(subject) ?? []);
    const secrets = [...known, ...codes, ...(await idsIn(await site.database())), address, "a-fragment"];
    expect(secrets.length).toBeGreaterThan(20);
    const received = receiver.received.slice(earlier);
    const sent = received.flatMap(itemsOf);
    const texts = received.map(({ text }) => text).join("\n");
    expect(secrets.filter((secret) => texts.includes(secret) || texts.includes(encodeURIComponent(secret)))).toEqual(
      [],
    );
    expect(texts).toContain("No order ord_[id] at /settings/orders/ord_[id] for [address]");

    const knownNames = addresses.flatMap(({ pattern }) => [pattern, `GET ${pattern}`, `POST ${pattern}`]);
    const written = sent.flatMap(({ payload: { transaction } }) =>
      typeof transaction === "string" ? transaction : [],
    );
    expect(written.length).toBeGreaterThan(15);
    expect(written.filter((name) => !knownNames.includes(name))).toEqual([]);
  });
});

/** Every id in any table: ours and the payment provider's. */
async function idsIn(database: D1Database): Promise<string[]> {
  const names = Object.values(schema).flatMap((table) => (table instanceof SQLiteTable ? getTableName(table) : []));
  const tables = await Promise.all(names.map((name) => database.prepare(`select * from "${name}"`).all()));
  const values = tables.flatMap(({ results }) => results.flatMap((row) => Object.values(row)));
  return values.filter((value) => typeof value === "string" && /^[a-z]+_\w{10,}$/.test(value)).map(String);
}
