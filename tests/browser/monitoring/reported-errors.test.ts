import { flashMessages } from "#app/http/page/flash.messages.ts";
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { expectNoOtherEvent, expectOneEvent, referenceOn, release } from "#tests/browser/support/reported-errors.ts";
import { section } from "#tests/browser/support/sections.ts";
import { type Browsing, open, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { allSignedOut, failingAt, unknownTimeZone, whileBroken, without } from "#tests/support/database/damage.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";

const receiver = useReceiver();
const address = "mara.lindqvist@example.com";
let mara: Visitor;
/** Mara's browser, for all tests: what each leaves behind in it is a page. */
let browsing: Browsing;

useSiteAndBrowser(() => ({
  vars: { SENTRY_DSN: receiver.dsn, SENTRY_RELEASE: release, SENTRY_TRACES_SAMPLE_RATE: "0" },
}));
beforeAll(async () => {
  [mara, browsing] = await Promise.all([signUp(site, address), chromium.newPage()]);
  await lendCookies(mara, browsing, site.origin);
});
// What a failed test left unread isn't read by the next one.
beforeEach(async () => {
  while (receiver.unread > 0) await receiver.nextEnvelope();
});

const { profile } = profileMessages.en;
const nameField = (page: Page) => section(page, profile.title).getByLabel(profile.name);
const saveProfile = (page: Page) => section(page, profile.title).getByRole("button", { name: profile.save }).click();
const go = (page: Page, link: string) => page.getByRole("link", { name: link, exact: true }).first().click();

describe("a server error is sent as one event, with the reference id that the page shows,", () => {
  test("from a loader, when the page is opened", async () => {
    const page = await whileBroken(site, without("orders"), () =>
      open(browsing, `${site.origin}/payment/failed?order=ord_s`),
    );
    await expectOneEvent(receiver, page, { route: "/payment/:status", reference: await referenceOn(page) });
  });

  test("from a loader, when a link leads to the page", async () => {
    const page = await open(browsing, `${site.origin}/settings/referral`);
    await whileBroken(site, without("orders"), async () => {
      await go(page, settingsMessages.en.orders);
      await expectOneEvent(receiver, page, { route: "/settings/orders", reference: await referenceOn(page) });
    });
  });

  test("from an action", async () => {
    const page = await open(browsing, `${site.origin}/settings/profile`);
    await whileBroken(site, failingAt("update of name on accounts"), async () => {
      await nameField(page).fill("Mara Lindqvist");
      await saveProfile(page);
      await expectOneEvent(receiver, page, {
        route: "/settings/profile",
        reference: await referenceOn(page, rootMessages.en.unsent.title),
      });
    });
  });

  test("from an action without a page", async () => {
    const page = await open(browsing, `${site.origin}/settings`);
    await whileBroken(site, failingAt("update of state on sessions"), async () => {
      await page.getByRole("button", { name: rootMessages.en.signOut }).first().click();
      const reference = await referenceOn(page, rootMessages.en.stillSignedIn.title);
      await expectOneEvent(receiver, page, { route: "/logout", reference });
    });
  });

  test("from middleware, when a link leads to the page and when it is opened", async () => {
    const page = await open(browsing, `${site.origin}/settings/referral`);
    await whileBroken(site, without("sessions"), async () => {
      await go(page, settingsMessages.en.orders);
      await expectOneEvent(receiver, page, { route: "/settings/orders", reference: await referenceOn(page) });
      // No loader ran: a page without scripts, which has nothing to report either.
      await page.goto(`${site.origin}/settings`);
      const { tags } = await nextSentryEvent(receiver);
      expect(tags).toEqual({ route: "/settings", reference_id: await referenceOn(page) });
    });
    await expectNoOtherEvent(receiver, await open(browsing, `${site.origin}/legal/terms`));
  });

  test("from rendering, which the browser doesn't repeat", async () => {
    const page = await whileBroken(site, unknownTimeZone, () => open(browsing, `${site.origin}/settings/security`));
    await expectOneEvent(receiver, page, { route: "/settings/security", reference: await referenceOn(page) });
  });

  test("a browser without cookies doesn't report it again, and shows no id that can't be found", async () => {
    await withBrowser(chromium, {}, async (stranger) => {
      await stranger.page.addInitScript(() => Object.defineProperty(Document.prototype, "cookie", { get: () => "" }));
      const page = await open(stranger, `${site.origin}/login`);
      await whileBroken(site, without("codes"), async () => {
        await page.getByLabel(loginMessages.en.email).fill(address);
        await page.getByRole("button", { name: loginMessages.en.submit }).click();
        expect(await referenceOn(page, rootMessages.en.unsent.title)).toBe("no reference");
      });
      expect((await nextSentryEvent(receiver)).tags?.["route"]).toBe("/login");
      await expectNoOtherEvent(receiver, page);
    });
  });
});

describe("a browser error is sent as one event", () => {
  test("from rendering, with the same reference id when it happens again on the same page", async () => {
    const page = await open(browsing, `${site.origin}/settings/referral`);
    await whileBroken(site, unknownTimeZone, async () => {
      await go(page, settingsMessages.en.security);
      const reference = await referenceOn(page);
      await expectOneEvent(receiver, page, { route: "/settings/security", reference: reference });
      await page.goBack();
      await page.getByRole("heading", { name: referralMessages.en.title }).waitFor();
      await go(page, settingsMessages.en.security);
      expect(await referenceOn(page)).toBe(reference);
      await expectNoOtherEvent(receiver, page);
    });
  });

  test("from rendering, before the reporting script has loaded", async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await browsing.page.route("**/browser-sdk.client*", (route) => arrived.then(() => route.continue()));
    const page = await open(browsing, `${site.origin}/settings/referral`);
    await whileBroken(site, unknownTimeZone, () =>
      go(page, settingsMessages.en.security).then(() => referenceOn(page)),
    );
    arrive();
    await expectOneEvent(receiver, page, { route: "/settings/security", reference: await referenceOn(page) });
    await page.unrouteAll();
  });

  test("from an event handler, and from an unhandled promise rejection", async () => {
    const page = await open(browsing, `${site.origin}/settings/referral`);
    await page.evaluate(() => {
      HTMLTextAreaElement.prototype.select = () => {
        throw new Error("No selecting here");
      };
      navigator.clipboard.writeText = () => Promise.reject(new Error("No clipboard here"));
    });
    await page.getByLabel(referralMessages.en.link.label).focus();
    await expectOneEvent(receiver, page, { route: "/settings/referral", reference: expect.stringMatching(/^\w{10}$/) });
    await page.getByRole("button", { name: referralMessages.en.link.copy }).click();
    await expectOneEvent(receiver, page, { route: "/settings/referral", reference: expect.stringMatching(/^\w{10}$/) });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(referralMessages.en.title);
  });
});

describe("no event is sent for", () => {
  test("a refused form, a redirecting form, a missing page and a required sign-in", async () => {
    const page = await open(browsing, `${site.origin}/settings/profile`);
    await nameField(page).fill("M".repeat(1000));
    await saveProfile(page);
    await page.getByRole("alert").waitFor();
    await nameField(page).fill("Mara");
    await saveProfile(page);
    await page.getByText(flashMessages.en["profile-saved"]).waitFor();
    const database = await site.database();
    const columns = "id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at";
    const values = `'ord_gone', id, 'failed', 'renewal', '${small.id}', 'month', 'EUR', 600, 0, 0`;
    await database.exec(`insert into orders (${columns}) select ${values} from accounts limit 1`);
    await go(page, settingsMessages.en.orders);
    await page.getByRole("row").getByRole("link").waitFor();
    await database.exec("delete from orders");
    await page.getByRole("row").getByRole("link").first().click();
    await page.getByRole("heading", { name: rootMessages.en.missing.title }).waitFor();
    await whileBroken(site, allSignedOut, async () => {
      await page.goBack();
      await page.waitForURL("**/login?redirectTo=*");
    });
    await expectNoOtherEvent(receiver, page);
  });

  test("an interrupted navigation, and a page that is left while it waits", async () => {
    const page = await open(browsing, `${site.origin}/settings/referral`);
    await page.route("**/settings/orders.data*", () => new Promise(() => {}));
    const request = page.waitForRequest("**/settings/orders.data*");
    const dropped = page.waitForEvent("requestfailed");
    await go(page, settingsMessages.en.orders);
    await request;
    await go(page, settingsMessages.en.profile);
    expect((await dropped).url()).toContain("/settings/orders.data");
    await page.getByRole("heading", { name: profileMessages.en.title }).waitFor();
    const askedAgain = page.waitForRequest("**/settings/orders.data*");
    await go(page, settingsMessages.en.orders);
    await askedAgain;
    await open(browsing, `${site.origin}/legal/terms`);
    await expectNoOtherEvent(receiver, page);
  });
});

test("no event or trace of the browser or the Worker contains personal data", () => {
  const reported = receiver.received.map(({ text }) => text);
  const tokens = ["session", "browser"].map((name) => mara.cookies.get(`__Host-${name}`) ?? "no cookie");
  const people = [address, "Lindqvist", "198.51.", "ord_s", "HeadlessChrome", "Mozilla"];
  for (const word of [...people, ...tokens])
    expect([word, reported.find((text) => text.includes(word))]).toEqual([word, undefined]);
});
