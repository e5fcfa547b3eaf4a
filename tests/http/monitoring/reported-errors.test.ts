import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { askForCode } from "#tests/support/clients/customers.ts";
import { type Damage, failingAt, unknownTimeZone, whileBroken, without } from "#tests/support/database/damage.ts";
import { pattern, small } from "#tests/support/billing/catalogue.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { referenceIn, useWatchedSite } from "./reporting-site.ts";

const address = "mara.lindqvist@example.com";
const webhookSecret = "whsec_of_the_test";
const watched = useWatchedSite(address, { STRIPE_WEBHOOK_SECRET: webhookSecret });

/** A browser's user agent and network address. */
const headers = { "User-Agent": "Maras-own-browser/7.3", "CF-Connecting-IP": "198.51.100.77" };
const innards = /SQLITE|D1_ERROR|no such table|raise|Failed query|Invalid time zone|\.[jt]sx?\b:\d/;
const profile = new URLSearchParams({ intent: "profile", name: "Mara Lindqvist", timeZone: "UTC" }).toString();

describe("an unexpected error is sent as one event, with the reference id that the visitor reads,", () => {
  const pages: [string, Damage, () => Promise<Visitor>, string][] = [
    [
      "a loader",
      without("orders"),
      () => watched.customer.open("/settings/orders/ord_mara0secret0of0the0test000"),
      "/settings/orders/:order",
    ],
    [
      "a loader with a parameter",
      without("orders"),
      () => watched.customer.open("/payment/failed?order=x"),
      "/payment/:status",
    ],
    [
      "an action",
      failingAt("update of name on accounts"),
      async () =>
        (await watched.customer.open("/settings/profile")).press(profileMessages.en.profile.save, {
          name: "Mara Lindqvist",
        }),
      "/settings/profile",
    ],
    [
      "a visitor's action",
      without("codes"),
      async () =>
        (await watched.site.visitor().open("/login?redirectTo=/settings")).press(loginMessages.en.submit, {
          email: address,
        }),
      "/login",
    ],
    ["rendering", unknownTimeZone, () => watched.customer.open("/settings/security"), "/settings/security"],
    [
      "middleware",
      without("sessions"),
      () => watched.customer.open(`/settings/upgrade?plan=${small.id}`),
      "/settings/upgrade",
    ],
    [
      "middleware, with a form",
      without("sessions"),
      () => watched.customer.post({ intent: "profile", name: "Mara Lindqvist", timeZone: "UTC" }, "/settings/profile"),
      "/settings/profile",
    ],
    [
      "middleware of an open page's form",
      without("sessions"),
      () => watched.customer.post({ email: "mara@example.com" }, "/login"),
      "/login",
    ],
    [
      "an action without a page of its own",
      failingAt("insert on activities"),
      () => watched.customer.post({}, "/settings/export"),
      "/settings/export",
    ],
    [
      "a route without a page",
      without("passkeys"),
      () => watched.customer.open("/passkey-offer?for=add"),
      "/passkey-offer",
    ],
  ];

  test.each(pages)("from %s, shown on a page of ours without a script", async (_where, damage, run, route) => {
    const visitor = await whileBroken(watched.site, damage, run);
    expect([visitor.status, visitor.heading()]).toEqual([500, rootMessages.en.broken.title]);
    expect(visitor.html).not.toMatch(innards);
    await watched.expectOneEvent(route, referenceIn(visitor.text()));
  });

  // A request without a page is answered by the Worker's entry point.
  const framed = pages.filter(([where]) => !where.includes("without a page"));

  test.each(framed)(
    "from %s, shown on a page with the site's name and a contact address",
    async (_where, damage, run) => {
      const visitor = await whileBroken(watched.site, damage, run);
      const { skip, footer } = rootMessages.en;
      const note = fillGaps(footer.note(gap, new Date().getUTCFullYear()));
      expect(visitor.text()).toMatch(pattern`^${skip} ${product.name} .* ${footer.status} .*${note}`);
      expect(visitor.html).toContain(`href="mailto:${product.support}"`);
      expect(visitor.html).toContain(`<title>${rootMessages.en.broken.title} · ${product.name}</title>`);
      await nextSentryEvent(watched.receiver);
    },
  );

  const requests: [string, Damage, () => Promise<Response>, string][] = [
    [
      "a loader",
      without("orders"),
      () => watched.ask("/settings/orders/ord_mara0secret0of0the0test000.data", { headers }),
      "/settings/orders/:order",
    ],
    [
      "an action",
      failingAt("update of name on accounts"),
      () => watched.ask("/settings/profile.data", { headers, body: profile }),
      "/settings/profile",
    ],
    ["middleware", without("sessions"), () => watched.ask("/settings/upgrade.data", { headers }), "/settings/upgrade"],
  ];

  test.each(requests)("from %s, requested by a script", async (_where, damage, run, route) => {
    const answer = await whileBroken(watched.site, damage, run);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toMatch(innards);
    const reference = /^__Host-reference=(\w+);/.exec(answer.headers.getSetCookie().join())?.[1] ?? "no reference";
    await watched.expectOneEvent(route, reference);
  });

  test("from the handling of a payment event, which is refused so that it is delivered again", async () => {
    const event = { id: "evt_1", object: "event", type: "invoice.paid", created: 1, data: { object: {} } };
    const payload = JSON.stringify(event);
    const signature =
      watched.site.stripe?.sdk.webhooks.generateTestHeaderString({ payload, secret: webhookSecret }) ?? "";
    const answer = await whileBroken(watched.site, without("webhook_events"), () =>
      watched.ask("/webhooks/stripe", { body: payload, headers: { "Stripe-Signature": signature } }),
    );
    expect(answer.status).toBe(500);
    await watched.expectOneEvent("/webhooks/stripe", referenceIn(await answer.text()));
  });

  test("from work after the answer was sent, which no visitor sees", async () => {
    const visitor = await watched.site.visitor().open("/signup");
    const { tags } = await whileBroken(watched.site, failingAt("update on emails"), async () => {
      await askForCode(visitor, "somebody@example.com");
      return nextSentryEvent(watched.receiver);
    });
    expect([visitor.status, tags?.["route"]]).toEqual([200, "/signup"]);
    await watched.expectNoOtherEvent();
  });

  test("from a task of the cron job, and doesn't prevent any other task from running", async () => {
    const database = await watched.site.database();
    await database.exec("update codes set expires_at = 1 where state = 'issued'");
    const { tags } = await whileBroken(watched.site, without("used_challenges"), async () => {
      await watched.site.runCron();
      return nextSentryEvent(watched.receiver);
    });
    expect(tags?.["route"]).toBe("scheduled");
    expect(await database.prepare("select count(*) as n from codes where state = 'issued'").first()).toEqual({ n: 0 });
    await watched.expectNoOtherEvent();
  });
});

test("no event, trace, log or log line of the Worker contains personal data", () => {
  const { receiver, site, customer } = watched;
  const reported = [...receiver.received.map(({ text }) => text), ...site.logs().map((line) => JSON.stringify(line))];
  const tokens = ["session", "browser", "visit"].map((name) => customer.cookies.get(`__Host-${name}`) ?? "no cookie");
  const people = [
    address,
    "somebody@example.com",
    "Lindqvist",
    "Maras-own-browser",
    "198.51.",
    "ord_mara0secret0of0the0test000",
  ];
  expect(reported.length).toBeGreaterThan(20);
  for (const word of [...people, ...tokens])
    expect([word, reported.find((text) => text.includes(word))]).toEqual([word, undefined]);
});
