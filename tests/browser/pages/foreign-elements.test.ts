import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { fingerprintHtml } from "#app/client/fingerprint.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { expectNoOtherEvent } from "#tests/browser/support/reported-errors.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { type Browsing, withBrowser } from "#tests/browser/support/steps.ts";
import { setUpAccounts, type TestAccounts } from "#tests/browser/support/test-accounts.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { testAccountScenes } from "../../../scripts/gallery/scenes.ts";

/** What extensions and translators do to a page before its scripts run. The user types in the meantime. */
const receiver = useReceiver();
let accounts: TestAccounts;

useSiteAndBrowser(() => ({ vars: { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0" } }));
beforeAll(async () => {
  accounts = await setUpAccounts(site);
});

const besideFields = (name: string) =>
  `for (const field of document.querySelectorAll("input")) field.after(document.createElement("${name}"))`;

const changes = {
  "a div beside each field": besideFields("div"),
  "a span beside each field": besideFields("span"),
  "a custom element beside each field": besideFields("password-manager"),
  "a div first in the body": `document.body.prepend(document.createElement("div"))`,
  "other words and prices": `for (const text of texts()) text.data = text.data.replaceAll(/[e€]/g, "$")`,
  "a translation": `for (const text of texts()) {
    const translated = document.createElement("font");
    text.replaceWith(translated);
    translated.append(text);
  }`,
};

/** Every text that a user reads. */
const texts = `const texts = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const all = [];
  while (walker.nextNode()) all.push(walker.currentNode);
  return all.filter((text) => !text.parentElement.closest("script, style, noscript, option, textarea"));
}`;

const whenParsed = (change: string) => `document.addEventListener("DOMContentLoaded", () => { ${texts}; ${change} })`;

const everyChange = Object.values(changes).map(whenParsed).join(";");

/** As extensions do it that don't wait for the end of the page. */
const whileParsed = `new MutationObserver(() => {
  for (const field of document.querySelectorAll("input:not([data-known])")) {
    field.dataset.known = "";
    field.after(document.createElement("div"));
  }
}).observe(document, { childList: true, subtree: true })`;

type Visit = { before: Done; after: Done; isAnew: boolean };

/** Opens a page whose scripts arrive when the user has filled it in. */
async function visit({ page, alive, context }: Browsing, url: string): Promise<Visit> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await context.route("**/entry.client*", (route) => arrived.then(() => route.continue()));
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await fillIn(page);
  const before = await done(page);
  const main = await page.locator("main").elementHandle();
  arrive();
  await alive();
  // Every effect of the first rendering has run.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await context.unroute("**/entry.client*");
  const isAnew = (await main?.evaluate((element) => !element.isConnected)) === true;
  return { before, after: await done(page), isAnew };
}

/** Everything but what would submit a form as it is typed. */
function fillIn(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const card of document.querySelectorAll("details")) card.open = true;
    const seen = [...document.querySelectorAll("main :is(input, select, textarea, a, button, summary)")].filter(
      (element) => element instanceof HTMLElement && element.checkVisibility(),
    );
    let last: HTMLElement | undefined;
    for (const field of seen) {
      if (field instanceof HTMLSelectElement) field.selectedIndex = field.options.length - 1;
      else if (field instanceof HTMLInputElement && field.type === "radio") field.checked = true;
      else if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = !field.checked;
      else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
        if (!field.readOnly) field.value = field.type === "email" ? "typed@example.com" : "12";
        last = field;
      } else if (field instanceof HTMLElement && !(last instanceof HTMLInputElement)) last = field;
    }
    last?.focus();
    if (last instanceof HTMLInputElement && last.selectionStart !== null) last.setSelectionRange(1, 2);
  });
}

type Done = Awaited<ReturnType<typeof done>>;

/** What the user did: values, ticks, the focus and the selection. */
function done(page: Page) {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)")];
    const { activeElement } = document;
    const selection =
      activeElement instanceof HTMLInputElement ? [activeElement.selectionStart, activeElement.selectionEnd] : null;
    const name = activeElement?.getAttribute("name") ?? activeElement?.getAttribute("href") ?? activeElement?.className;
    return {
      fields: fields.map((field) => [
        field.getAttribute("name"),
        "value" in field && field.value,
        "checked" in field && field.checked,
      ]),
      focus: [activeElement?.localName, name, selection],
    };
  });
}

describe.each(["/login", "/signup"])("on %s, input stays and nothing is reported, after", (path) => {
  const cases = [...Object.entries(changes).map(([name, change]) => ({ name, script: whenParsed(change) }))];
  cases.push({ name: "a div beside each field as it arrives", script: whileParsed });

  test.each(cases)("$name", async ({ script }) => {
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.addInitScript(script);
      const { before, after, isAnew } = await visit(browsing, site.origin + path);
      expect(isAnew).toBe(true);
      expect(before.fields.flat()).toContain("typed@example.com");
      expect(after).toEqual(before);
      expect(browsing.troubles).toEqual([]);
      await expectNoOtherEvent(receiver, browsing.page);
    });
  });
});

/** One state of every page that an account or a visitor can open. */
const onePerPage = testAccountScenes.filter(
  ({ path, action, status }, at, all) =>
    !action && !status && all.findIndex((other) => other.path.split(/[?#]/)[0] === path.split(/[?#]/)[0]) === at,
);

describe.each(onePerPage)("$name", (scene) => {
  const browse = (walk: (browsing: Browsing, url: string) => Promise<void>) =>
    withBrowser(chromium, {}, async (browsing) => {
      await lendCookies(accounts.visitors[scene.who], browsing, site.origin);
      await walk(browsing, accounts.fill(scene.path));
    });

  test("keeps what was typed, ticked and focused when something foreign is in it, which isn't reported", async () => {
    await browse(async (browsing, url) => {
      await browsing.page.addInitScript(everyChange);
      const { before, after, isAnew } = await visit(browsing, url);
      expect(isAnew).toBe(true);
      expect(after).toEqual(before);
      expect(browsing.troubles).toEqual([]);
      await expectNoOtherEvent(receiver, browsing.page);
    });
  });

  test("keeps it, too, when the server rendered something else than the browser, which is reported", async () => {
    await browse(async (browsing, url) => {
      await browsing.page.route("**/*", async (route) => {
        if (route.request().resourceType() !== "document") return route.fallback();
        const response = await route.fetch();
        return route.fulfill({ response, body: withOtherText(await response.text()) });
      });
      const { before, after, isAnew } = await visit(browsing, url);
      expect(isAnew).toBe(true);
      expect(after).toEqual(before);
      const event = await nextSentryEvent(receiver);
      expect(event.exception?.values.map(({ value }) => value)).toEqual([expect.stringContaining("React error #418")]);
      await expectNoOtherEvent(receiver, browsing.page);
    });
  });
});

/** The page of a server with a bug. */
function withOtherText(html: string): string {
  const other = html.replace("</h1>", " (wrong)</h1>");
  return other.replace(/data-fingerprint="[^"]*"/, `data-fingerprint="${fingerprintHtml(other)}"`);
}
