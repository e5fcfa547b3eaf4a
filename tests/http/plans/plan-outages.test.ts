import { planMessages, planRefusalMessages, planNoticesMessages } from "#app/routes/settings/plan/messages.ts";
import { offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { afterEach, describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { cards, send, subscriber, wayOutOfPortal } from "#tests/support/clients/customers.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { beingConfirmed, choose, confirmation, invoicesOf, ordersOf, planPath, subscriptionOf } from "./subscribers.ts";

const { site, detour } = useSiteWithDetour({ LAUNCH_GATE: "none" });
afterEach(() => void detour.clear());

const charge = /^POST \/v1\/subscriptions\/sub_\w+$/;

/** An account in front of the button that charges. */
async function chooser(address: string) {
  const visitor = await subscriber(site, address);
  await choose(visitor, large.id);
  return { visitor, fields: confirmation(visitor), path: visitor.url };
}

/** What a page says when a change is known to be unpaid. */
const unpaid = [
  planNoticesMessages.en.openChange.title(large.name),
  planNoticesMessages.en.openChange.text(small.name),
  planNoticesMessages.en.openChange.giveUp,
  beginningOf(changeMessages.en.submitNow(large.name, gap)),
  paymentMessages.en.pages.change.failed.lead(`${product.name} ${large.name}`),
];

async function expectUnconfirmed(visitor: Visitor) {
  expect([visitor.status, visitor.heading()]).toEqual([200, paymentMessages.en.unconfirmed.title]);
  expect(visitor.path()).toMatch(/^\/payment\/processing/);
}

describe("a charge for a change", () => {
  test("whose answer is lost is found on request: the same click ends with the true state", async () => {
    const { visitor } = await chooser("lost@example.com");
    detour.plan(charge, "lost");
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(await invoicesOf(site, "lost@example.com")).toHaveLength(2);
  });

  test("that hangs, while nothing else answers, is shown as being confirmed within ten seconds, also on other pages, and found by the next click", async () => {
    const address = "hung@example.com";
    const { visitor, fields, path } = await chooser(address);
    detour.plan(charge, "held", "and-after");
    const started = performance.now();
    await visitor.post(fields, path);
    expect(performance.now() - started).toBeLessThan(10_000);
    await expectUnconfirmed(visitor);
    const [, order] = await ordersOf(site, address);
    expect(order).toMatchObject({ kind: "change" });
    for (const page of [planPath, "/settings/upgrade", path, `/settings/orders/${order?.id}`]) {
      await visitor.open(page);
      expect([page, visitor.text()]).toEqual([page, expect.stringMatching(beingConfirmed)]);
      expect(visitor.html).toContain(`href="/payment/processing?order=${order?.id}"`);
      expect(unpaid.filter((message) => visitor.text().includes(message))).toEqual([]);
    }
    detour.clear();
    await visitor.post(fields, path);
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(await invoicesOf(site, address)).toHaveLength(2);
    expect(await ordersOf(site, address)).toHaveLength(2);
  });

  test("that never arrived is made by the next click, once", async () => {
    const address = "dropped@example.com";
    const { visitor, fields, path } = await chooser(address);
    detour.plan(charge, "dropped");
    await visitor.post(fields, path);
    await expectUnconfirmed(visitor);
    expect(await invoicesOf(site, address)).toHaveLength(1);
    // For half a minute the charge may still arrive; then Stripe's answer counts.
    await visitor.open(path);
    expect(visitor.text()).not.toContain(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    const database = await site.database();
    await database.prepare("update orders set unconfirmed_until = unconfirmed_until - 30000").run();
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(await invoicesOf(site, address)).toHaveLength(2);
    expect(await ordersOf(site, address)).toMatchObject([{ state: "paid" }, { state: "paid" }]);
  });

  test("that succeeded unnoticed is not offered again: the page finds it, and so does another choice", async () => {
    const address = "unseen@example.com";
    const { visitor, fields, path } = await chooser(address);
    await site.stripe?.control("disorder", { drop: 1000 });
    detour.plan(charge, "lost", "and-after");
    await visitor.post(fields, path);
    await expectUnconfirmed(visitor);
    detour.clear();
    await choose(visitor, large.id);
    await site.stripe?.control("disorder", {});
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["same-plan"]);
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "paid", planId: large.id });
  });

  test("that succeeded unnoticed leads to its page when another plan is confirmed meanwhile", async () => {
    const address = "crossed@example.com";
    const { visitor, fields, path } = await chooser(address);
    await choose(visitor, small.id, "year");
    const other = confirmation(visitor);
    await site.stripe?.control("disorder", { drop: 1000 });
    detour.plan(charge, "lost", "and-after");
    await visitor.post(fields, path);
    await expectUnconfirmed(visitor);
    detour.clear();
    await visitor.post(other, "/settings/upgrade");
    await site.stripe?.control("disorder", {});
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(visitor.text()).toContain(paymentMessages.en.pages.change.success.lead(`${product.name} ${large.name}`));
    expect(await invoicesOf(site, address)).toHaveLength(2);
  });

  test("that may still arrive prevents another one for half a minute", async () => {
    const address = "under-way@example.com";
    const { visitor, fields, path } = await chooser(address);
    await choose(visitor, small.id, "year");
    const other = confirmation(visitor);
    detour.plan(charge, "dropped");
    await visitor.post(fields, path);
    await visitor.post(other, "/settings/upgrade");
    await expectUnconfirmed(visitor);
    const database = await site.database();
    await database
      .prepare(
        "update orders set created_at = created_at - 30000, unconfirmed_until = unconfirmed_until - 30000 where state = 'draft'",
      )
      .run();
    await visitor.post(other, "/settings/upgrade");
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect((await ordersOf(site, address)).map(({ planId, state }) => [planId, state])).toEqual([
      [large.id, "cancelled"],
      [small.id, "paid"],
      [small.id, "paid"],
    ]);
  });

  test("that failed at the provider is abandoned, and the next click begins another", async () => {
    const address = "failing@example.com";
    const { visitor, fields, path } = await chooser(address);
    detour.plan(charge, 500);
    await visitor.post(fields, path);
    expect(visitor.status).toBe(503);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["provider-unreachable"]);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid", "cancelled", "paid"]);
    expect(await invoicesOf(site, address)).toHaveLength(2);
  });
});

describe("while the payment provider is down", () => {
  test("a choice has a message and a way to continue, and works later without further action", async () => {
    const { visitor } = await chooser("down@example.com");
    detour.plan(/./, "dropped", "and-after");
    await choose(visitor, large.id);
    detour.clear();
    expect(visitor.status).toBe(503);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["provider-unreachable"]);
    expect(visitor.html).toContain(`href="/settings/upgrade?plan=${large.id}&amp;interval=month"`);
    await choose(visitor, large.id);
    expect(visitor.heading()).toBe(changeMessages.en.title(large.name));
  });

  test.each(["cancel", "update-card"])("%s reports it and changes nothing", async (intent) => {
    const address = `${intent}@example.com`;
    const { visitor } = await chooser(address);
    detour.plan(/./, "held", "and-after");
    const started = performance.now();
    await visitor.post({ intent }, planPath);
    expect(performance.now() - started).toBeLessThan(10_000);
    detour.clear();
    expect(visitor.status).toBe(503);
    expect(visitor.text()).toContain(planRefusalMessages.en["provider-unreachable"]);
    expect(await subscriptionOf(site, address)).toMatchObject({ cancel_at_period_end: false });
  });

  test("a payment page says that the payment is being confirmed, doesn't redirect, and makes only one call", async () => {
    const { visitor } = await chooser("known@example.com");
    detour.plan(charge, "dropped");
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    const [, draft] = await ordersOf(site, "known@example.com");
    // The page that the click led to made no call, since the click had waited. Five seconds later it does.
    const database = await site.database();
    await database.prepare("update orders set unconfirmed_until = unconfirmed_until - 5000").run();
    detour.plan(/./, "dropped", "and-after");
    const requestCount = detour.count(/^GET \/v1\/subscriptions$/);
    await visitor.open(`/payment/processing?order=${draft?.id}`);
    detour.clear();
    expect(visitor.path()).toMatch(/^\/payment\/processing/);
    expect(detour.count(/^GET \/v1\/subscriptions$/) - requestCount).toBe(1);
    expect(visitor.heading()).toBe(paymentMessages.en.unconfirmed.title);
    expect(visitor.text()).not.toContain(paymentMessages.en.pages.change.open.title);
  });

  test("a customer back from the billing portal sees the chosen card before its event, or that it isn't confirmed yet", async () => {
    const { visitor } = await chooser("portal@example.com");
    await site.stripe?.control("disorder", { drop: 1000 });
    await visitor.open(planPath);
    await visitor.press(planMessages.en.updateCard);
    await send(visitor.url, { testCard: cards.another });
    const back = await wayOutOfPortal(visitor);
    detour.plan(/./, "dropped", "and-after");
    await visitor.open(back);
    expect(visitor.text()).toContain(planMessages.en.portalAwaited);
    expect(visitor.text()).toMatch(fillGaps(planMessages.en.cardText("Visa •••• 4242", gap)));
    detour.clear();
    await visitor.open(back);
    await site.stripe?.control("disorder", {});
    expect(visitor.url).toBe(site.origin + planPath);
    expect(visitor.text()).toMatch(fillGaps(planMessages.en.cardText("Mastercard •••• 4444", gap)));
    expect(visitor.text()).not.toContain(planMessages.en.portalAwaited);
  });
});
