import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { notificationsMessages } from "#app/routes/settings/notifications/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { expectNoOtherEvent } from "#tests/browser/support/reported-errors.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { type Browsing, open } from "#tests/browser/support/steps.ts";
import { deviceOwner, lendCookies } from "#tests/browser/support/visitors.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { addresses } from "#tests/support/site/addresses.ts";

/** Each save is answered after this long, and the user changes something else in the meantime. */
const latencyMs = 300;
const untilNextChangeMs = 150;

const receiver = useReceiver();
const address = "saves@example.com";
let owner: Visitor;
let browsing: Browsing;

useSiteAndBrowser(() => ({ stripe: false, vars: { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0" } }));
beforeAll(async () => {
  [owner, browsing] = await Promise.all([deviceOwner(site, address), chromium.newPage()]);
  await lendCookies(owner, browsing, site.origin);
  await browsing.page.route("**/*.data*", async (route) => {
    if (route.request().method() === "POST") await pause(latencyMs);
    // The request may be gone by then.
    await route.continue().catch(() => undefined);
  });
});

const settingsPages = addresses.filter(
  ({ file, pattern }) => file.endsWith(".tsx") && pattern.startsWith("/settings") && !/[:*]/.test(pattern),
);

/** Those with a form whose button is only for browsers without scripts. */
async function listPagesThatSave(): Promise<string[]> {
  const found: string[] = [];
  for (const { path } of settingsPages) {
    const { html } = await owner.open(path);
    if (/<form\b(?:(?!<\/form>).)*<noscript>/s.test(html)) found.push(path);
  }
  return found;
}

const formsSavedInPlace = (page: Page) => page.locator("form:has(noscript)");

/** Counts the saves that the page sends, their answers, and how many it waits for at the same time. */
function watchSaves(page: Page) {
  const counts = { sent: 0, answered: 0, atOnce: 0 };
  const isSave = (request: Request) => request.method() === "POST" && request.url().includes(".data");
  page.on("request", (request) => {
    if (!isSave(request)) return;
    counts.sent += 1;
    counts.atOnce = Math.max(counts.atOnce, counts.sent - counts.answered);
  });
  page.on("response", (response) => {
    if (isSave(response.request())) counts.answered += 1;
  });
  return counts;
}

/** Every switch once and the first one again; or by arrow key through every choice and on to the second. */
async function changeQuickly(page: Page, form: Locator): Promise<void> {
  const boxes = await form.locator("[type=checkbox]").all();
  for (const box of [...boxes, ...boxes.slice(0, 1)]) {
    await box.press("Space");
    await pause(untilNextChangeMs);
  }
  const choices = await form.locator("[type=radio]").all();
  if (choices.length > 0) await form.locator(":checked").focus();
  for (const _ of [...choices, ...choices.slice(0, 1)]) {
    await page.keyboard.press("ArrowRight");
    await pause(untilNextChangeMs);
  }
}

const choicesOf = (form: Locator) =>
  form.evaluate((element: HTMLFormElement) =>
    [...new FormData(element)].map(([name, value]) => `${name}=${String(value)}`),
  );
const focusedField = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement instanceof HTMLInputElement ? `${activeElement.name}=${activeElement.value}` : "none";
  });

describe("of saves that overtake each other", () => {
  test("the last is stored and shown on every form, one is sent at a time, and neither an error nor the focus goes astray", async () => {
    const paths = await listPagesThatSave();
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const page = await open(browsing, site.origin + path);
      for (const form of await formsSavedInPlace(page).all()) {
        const counts = watchSaves(page);
        await changeQuickly(page, form);
        const [chosen, focused] = [await choicesOf(form), await focusedField(page)];
        await form
          .getByText(notificationsMessages.en.emails.saved)
          .or(form.getByText(profileMessages.en.appearance.saved))
          .waitFor();
        expect(await page.getByRole("alert").count()).toBe(0);
        expect([await choicesOf(form), await focusedField(page)]).toEqual([chosen, focused]);
        expect(counts.sent).toBeGreaterThan(1);
        expect(counts).toEqual({ sent: counts.sent, answered: counts.sent, atOnce: 1 });
        await expectNoOtherEvent(receiver, page);
        await page.goto(site.origin + path);
        expect(await choicesOf(form)).toEqual(chosen);
      }
    }
    expect(browsing.troubles.filter(({ text }) => !text.includes("marker"))).toEqual([]);
  });

  test("one that fails after another was stored goes back to that", async () => {
    const page = await open(browsing, `${site.origin}/settings/notifications`);
    const form = formsSavedInPlace(page);
    const box = form.locator("[type=checkbox]").first();
    await box.press("Space");
    await form.getByText(notificationsMessages.en.emails.saved).waitFor();
    const stored = await choicesOf(form);
    await browsing.context.setOffline(true);
    await box.press("Space");
    await page.getByRole("alert").waitFor();
    await browsing.context.setOffline(false);
    await expect.poll(() => choicesOf(form)).toEqual(stored);
    expect(await form.getByText(notificationsMessages.en.emails.saved).count()).toBe(0);
  });

  test("the last is stored, too, if the page is left before it is sent", async () => {
    const page = await open(browsing, `${site.origin}/settings/notifications`);
    const form = formsSavedInPlace(page);
    const boxes = await form.locator("[type=checkbox]").all();
    for (const box of boxes) await box.press("Space");
    const chosen = await choicesOf(form);
    await page.goto("about:blank");
    const stored = async () => {
      await page.goto(`${site.origin}/settings/notifications`);
      return choicesOf(form);
    };
    await expect.poll(stored).toEqual(chosen);
  });
});
