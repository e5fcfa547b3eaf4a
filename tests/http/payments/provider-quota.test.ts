import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { anyNumbersIn } from "#tests/support/clients/message-patterns.ts";
import { describe, expect, test } from "vitest";
import {
  lookupsPerMinuteMax,
  moneyActionsPerHourMax,
  moneyActionsPerMinuteMax,
  quotesPerMinuteMax,
} from "#app/modules/billing/checkout/provider-quota.rules.ts";
import { visitsPerNetworkMax } from "#app/modules/referrals/rules.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { openCheckout, signUp, subscriber } from "#tests/support/clients/customers.ts";
import { large, pages, small } from "#tests/support/billing/catalogue.ts";
import { useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { choose } from "#tests/http/plans/subscribers.ts";

/** One account, or one network, can't use up the request quotas of Stripe and the database. */

const { site, detour } = useSiteWithDetour({ LAUNCH_GATE: "none" });

const upgrade = `/settings/upgrade?plan=${large.id}&interval=month`;
const preview = /create_preview/;
const sync = /^GET \/v1\/subscriptions$/;
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("a payment page that is opened sixty times", () => {
  test("calls Stripe ten times, then shows the last state and when it refreshes", async () => {
    const visitor = await signUp(site, "looks@example.com");
    await openCheckout(visitor);
    const { results } = await (await site.database()).prepare("select id from orders").all<{ id: string }>();
    const path = `/payment/success?order=${results[0]?.id}`;
    const before = detour.count(sync);
    await visitor.open(path);
    expect(detour.count(sync)).toBeGreaterThan(before);
    await Promise.all(times(59).map(() => visitor.twin().open(path)));
    expect(detour.count(sync) - before).toBeLessThanOrEqual(lookupsPerMinuteMax);
    const requestCount = detour.count(/./);
    await visitor.open(path);
    expect(detour.count(/./)).toBe(requestCount);
    const messages = paymentMessages.en;
    expect([visitor.status, visitor.heading()]).toEqual([200, messages.unconfirmed.title]);
    expect(visitor.text()).toContain(messages.unconfirmed.often);
    expect(visitor.text()).not.toContain(messages.unconfirmed.text);
    const [, seconds] = /http-equiv="refresh" content="([\d.]+);/i.exec(visitor.html) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(5);
    expect(visitor.text()).toMatch(anyNumbersIn(messages.looksIn(refusalMessages.en.wait(5))));
    await site.setClock(1 / 24 / 30);
    await visitor.open(path);
    expect(visitor.path()).toMatch(/^\/payment\/cancelled/);
    expect(detour.count(/./)).toBeGreaterThan(requestCount);
    await site.setClock(0);
  });
});

describe("a quote that is requested sixty times", () => {
  test("calls Stripe twenty times, then answers 429 with the time to wait, and keeps the choice", async () => {
    const visitor = await subscriber(site, "quotes@example.com");
    const before = detour.count(preview);
    await visitor.open(upgrade);
    expect(detour.count(preview)).toBe(before + 1);
    await Promise.all(times(59).map(() => visitor.twin().open(upgrade)));
    expect(detour.count(preview) - before).toBe(quotesPerMinuteMax);
    const requestCount = detour.count(/./);
    await visitor.open(upgrade);
    expect(visitor.status).toBe(429);
    const seconds = Number(visitor.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(visitor.text()).toContain(offerRefusalMessages.en["too-many-requests"](`${seconds} seconds`));
    expect(visitor.html).toContain(`href="${upgrade.replace("&", "&amp;")}"`);
    expect(detour.count(/./)).toBe(requestCount);
    // Another account, and this one's other actions on its plan, are not affected.
    const other = await subscriber(site, "other@example.com");
    expect((await other.open(upgrade)).status).toBe(200);
    await visitor.post({ intent: "cancel" }, pages.plan);
    expect(visitor.path()).toBe(pages.plan);
  });
});

describe("changes of plan beyond the hourly quota", () => {
  test("are 429 with the time to wait, and no longer reach Stripe", async () => {
    const visitor = await subscriber(site, "acts@example.com");
    await (await site.database()).exec("delete from quota_uses");
    await Promise.all(times(moneyActionsPerHourMax).map(() => visitor.twin().post({ intent: "resume" }, pages.plan)));
    const requestCount = detour.count(/./);
    for (const [path, fields] of [
      [pages.plan, { intent: "cancel" }],
      [pages.plan, { intent: "update-card" }],
      ["/settings/upgrade", { intent: "use-card", plan: small.id }],
      ["/settings/upgrade", { intent: "confirm", plan: large.id, interval: "month", quote: "1.EUR.0" }],
    ] as const) {
      await visitor.post({ ...fields }, path);
      expect([path, visitor.status]).toEqual([path, 429]);
      expect(Number(visitor.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    // The page of a refused confirmation shows the offer, which has its own quota.
    expect(
      detour
        .passed()
        .slice(requestCount)
        .filter((call) => !call.startsWith("GET ") && !call.includes("preview")),
    ).toEqual([]);
    await choose(visitor, large.id);
    expect(visitor.status).toBe(200);
  });
});

describe("the way to another card that is pressed thirty times at once", () => {
  test("leads to Stripe ten times, and then says how long to wait", async () => {
    const visitor = await subscriber(site, "presses@example.com");
    await (await site.database()).exec("delete from quota_uses");
    const portal = /^POST \/v1\/billing_portal\/sessions$/;
    const before = detour.count(portal);
    const twins = times(30).map(() => visitor.twin());
    await Promise.all(twins.map((twin) => twin.post({ intent: "update-card" }, pages.plan)));
    expect(detour.count(portal) - before).toBe(moneyActionsPerMinuteMax);
    expect(twins.filter(({ status }) => status === 429)).toHaveLength(30 - moneyActionsPerMinuteMax);
    await visitor.post({ intent: "update-card" }, pages.plan);
    expect(Number(visitor.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  });
});

describe("a landing page that is opened by a referral link", () => {
  test("writes no more than the network's quota allows, and keeps the code in its links", async () => {
    const owner = await signUp(site, "owner@example.com", "");
    await owner.open("/settings/referral");
    const link = /\/\?ref=[a-z0-9]+/.exec(owner.html)?.[0] ?? "no link";
    const headers = { "CF-Connecting-IP": "203.0.113.77" };
    const answers = await Promise.all(times(100).map(() => site.fetch(link, { headers })));
    expect(answers.filter((answer) => answer.headers.has("Set-Cookie"))).toHaveLength(visitsPerNetworkMax);
    const page = await (await site.fetch(link, { headers })).text();
    const code = link.slice("/?ref=".length);
    for (const plan of [small, large]) {
      expect(page).toContain(`href="/signup?plan=${plan.id}&amp;interval=month&amp;ref=${code}"`);
    }
    expect(page).toContain(`href="/?interval=year&amp;ref=${code}#plans"`);
    const signup = await (await site.fetch(`/signup?plan=${small.id}&interval=month&ref=${code}`, { headers })).text();
    expect(signup).toMatch(new RegExp(`name="ref"[^>]* value="${code}"|value="${code}"[^>]* name="ref"`));
  });
});
