import { describe, expect, test } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { viewerUnknownMessages } from "#app/http/page/viewer-unknown.messages.ts";
import { whileBroken, without } from "#tests/support/database/damage.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import { useWatchedSite } from "#tests/http/monitoring/reporting-site.ts";

/** A signed-in visit while the tables behind the session and the account can't be read. */
const messages = rootMessages.en;
const session = "__Host-session";

const watched = useWatchedSite("mara@example.com");

const pages = ["/", "/legal/terms", "/legal/privacy", "/legal/imprint", "/payment/success", "/login", "/healthz"];

async function stateOfSession(): Promise<unknown> {
  const database = await watched.site.database();
  return database.prepare("select state from sessions order by rowid desc limit 1").first("state");
}

describe.each(["sessions", "accounts"])("without the table of %s", (table) => {
  test.each(pages)("%s is shown as to a visitor, mentions the problem, and reports it once", async (path) => {
    const { site, customer, receiver } = watched;
    await whileBroken(site, without(table), async () => {
      const seen = await customer.twin().open(path);
      expect(seen.status).toBe(200);
      expect(seen.headers.getSetCookie().filter((cookie) => cookie.startsWith(session))).toEqual([]);
      if (path !== "/healthz") {
        expect(seen.text()).toContain(viewerUnknownMessages.en.text);
        expect(seen.text()).toContain(path === "/login" ? messages.signUp : messages.signIn);
      }
      await nextSentryEvent(receiver);
    });
    await watched.expectNoOtherEvent();
    expect((await customer.open("/settings")).status).toBe(200);
  });
});

describe("without the table of subscriptions", () => {
  // Log-in redirects a signed-in user, and the result of a payment can't be shown without plans.
  test.each(pages.filter((path) => !/login|payment/.test(path)))("%s is shown to a signed-in user", async (path) => {
    const { site, customer } = watched;
    await whileBroken(site, without("subscriptions"), async () => {
      const seen = await customer.twin().open(path);
      expect(seen.status).toBe(200);
      if (path !== "/healthz") expect(seen.text()).toContain(messages.signOut);
    });
  });
});

describe("signing out", () => {
  test.each(["accounts", "subscriptions", "activities"])("ends the session without the table of %s", async (table) => {
    const { site, customer } = watched;
    const database = await site.database();
    const departing = customer.twin();
    await whileBroken(site, without(table), async () => {
      await departing.post({}, "/logout");
      expect([departing.trail, departing.cookies.has(session)]).toEqual([["/"], false]);
    });
    expect(await stateOfSession()).toBe("signed-out");
    await database.exec("update sessions set state = 'active', ended_at = null");
  });

  test("reports its failure, and the same button works afterwards", async () => {
    const { site, customer, receiver } = watched;
    const departing = customer.twin();
    await whileBroken(site, without("sessions"), async () => {
      await departing.post({}, "/logout");
      expect([departing.status, departing.heading()]).toEqual([503, messages.stillSignedIn.title]);
      expect(departing.text()).not.toContain(viewerUnknownMessages.en.text);
      expect(departing.cookies.get(session)).toBe(customer.cookies.get(session));
      await nextSentryEvent(receiver);
    });
    expect(await stateOfSession()).toBe("active");
    await departing.press(messages.stillSignedIn.again);
    expect([departing.trail, departing.cookies.has(session)]).toEqual([["/"], false]);
    expect(await stateOfSession()).toBe("signed-out");
  });
});
