import { product } from "#app/product/config.ts";
import { orderDetailMessages } from "#app/routes/settings/orders/order/messages.ts";
import { orderStateMessages } from "#app/routes/settings/orders/messages.ts";
import { payDueMessages, firstPaymentMessages } from "#app/routes/settings/messages.ts";
import { dueMessages } from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { beginningOf, gap } from "#tests/support/clients/message-patterns.ts";
import { openCheckout, signUp } from "#tests/support/clients/customers.ts";
import { idOf } from "#tests/support/ids.ts";
import { type OrderId, noOrder } from "#app/core/id.ts";
import { afterEach, expect, test } from "vitest";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { price, small } from "#tests/support/billing/catalogue.ts";
import { localVars } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { type Mishap, useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { beingConfirmed, choose, confirmation, planPath } from "#tests/http/plans/subscribers.ts";

const messages = paymentMessages.en;

const { site, detour } = useSiteWithDetour();
afterEach(async () => {
  detour.clear();
  await site.stripe?.control("disorder", {});
});

/** A customer who has paid, and whose events haven't arrived: the browser is on its way back. */
async function payer(address: string) {
  const visitor = await signUp(site, address);
  const session = await openCheckout(visitor);
  await site.stripe?.control("disorder", { drop: 1000 });
  const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
  return { visitor, back: paid?.redirect ?? "" };
}

const refreshIn = (html: string) => {
  const [, seconds, path] = /http-equiv="refresh" content="([\d.]+); url=([^"]+)"/i.exec(html) ?? [];
  return { seconds: Number(seconds), path: path?.replaceAll("&amp;", "&") ?? "" };
};

test.each<Mishap>([429, 500, "dropped"])(
  "a customer whose payment can't be read (%s) sees that it is being confirmed, and not to pay again",
  async (mishap) => {
    const { visitor, back } = await payer(`unconfirmed-${mishap}@example.com`);
    detour.plan(/^GET /, mishap, "and-after");
    await visitor.open(back);
    expect([visitor.status, visitor.heading()]).toEqual([200, messages.unconfirmed.title]);
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(visitor.text()).toContain(messages.unconfirmed.lead(`${product.name} ${small.name}`));
    expect(visitor.text()).not.toContain(messages.pages["new-plan"].open.title);
    for (const label of [messages.again.open, messages.again.same, messages.again.choose]) {
      expect(visitor.text()).not.toContain(label);
    }
    const first = refreshIn(visitor.html);
    await visitor.open(first.path);
    const second = refreshIn(visitor.html);
    expect([first.seconds, second.seconds]).toEqual([5, 10]);
    expect(visitor.heading()).toBe(messages.unconfirmed.title);
    detour.clear();
    await visitor.open(second.path);
    expect(visitor.heading()).toBe(messages.pages["new-plan"].success.title);
    expect(refreshIn(visitor.html).path).toBe("");
  },
);

/** Every page that mentions an order, and the text that would make its owner pay again. */
const tempting = [
  orderDetailMessages.en.title.open,
  orderStateMessages.en.states.pending,
  firstPaymentMessages.en.unfinished.title(small.name),
  firstPaymentMessages.en.unfinished.link,
  dueMessages.en.title(price(small)),
  payDueMessages.en.pay(price(small), null),
  upgradeMessages.en.confirm.title(small.name),
  beginningOf(upgradeMessages.en.confirm.submit(small.name, gap, gap)),
  upgradeMessages.en.choose(small.name),
  messages.again.same,
];

async function pagesAbout(visitor: Visitor, orderId: OrderId) {
  const start = `/settings/upgrade?plan=${small.id}&interval=month`;
  const paths = ["/settings", "/settings/orders", `/settings/orders/${orderId}`, planPath, "/settings/upgrade", start];
  const texts: { path: string; text: string; html: string }[] = [];
  for (const path of [...paths, `/payment/cancelled?order=${orderId}`, `/payment/failed?order=${orderId}`]) {
    await visitor.open(path);
    texts.push({ path, text: visitor.text(), html: visitor.html });
  }
  return texts;
}

test("while a payment is being confirmed, every page says so and none offers to pay, and all show the result afterwards", async () => {
  const { visitor, back } = await payer("everywhere@example.com");
  detour.plan(/^GET /, 500, "and-after");
  await visitor.open(back);
  const orderId = new URL(back).searchParams.get("order") ?? noOrder;
  for (const { path, text, html } of await pagesAbout(visitor, idOf("ord", orderId))) {
    expect([path, beingConfirmed.test(text)]).toEqual([path, true]);
    expect([path, tempting.filter((label) => text.includes(label))]).toEqual([path, []]);
    if (path.startsWith("/payment") || path === "/settings/orders") continue;
    expect([path, html.includes(`href="/payment/processing?order=${orderId}"`)]).toEqual([path, true]);
  }
  await visitor.open(`/settings/orders/receipt?order=${orderId}`);
  expect(visitor.status).toBe(404);
  const emails = await site.emailsTo("everywhere@example.com", 1);
  expect(emails.filter((email) => JSON.stringify(email).includes("/settings/orders/"))).toEqual([]);
  detour.clear();
  await visitor.open(`/payment/processing?order=${orderId}`);
  expect(visitor.heading()).toBe(messages.pages["new-plan"].success.title);
  const after = await pagesAbout(visitor, idOf("ord", orderId));
  expect(after.filter(({ text }) => beingConfirmed.test(text)).map(({ path }) => path)).toEqual([]);
});

test("a form that was open before leads to the page that refreshes, whatever plan it is for, and opens no checkout", async () => {
  const { visitor, back } = await payer("stale-form@example.com");
  const forms: Record<string, string>[] = [];
  for (const interval of ["month", "year"]) {
    await choose(visitor, small.id, interval);
    forms.push(confirmation(visitor));
  }
  detour.plan(/^GET /, 500, "and-after");
  await visitor.open(back);
  const calls = detour.count(/^POST /);
  for (const form of forms) {
    await visitor.post(form, "/settings/upgrade");
    expect([visitor.path(), visitor.heading()]).toEqual([
      `/payment/processing${new URL(back).search}`,
      messages.unconfirmed.title,
    ]);
  }
  expect(detour.count(/^POST /)).toBe(calls);
});

test("an event whose customer can't be read has the same effect if the customer didn't come back", async () => {
  const { visitor } = await payer("only-event@example.com");
  const { data: events = [] } = (await site.stripe?.sdk.events.list({ type: "invoice.paid", limit: 1 })) ?? {};
  const payload = JSON.stringify(events[0]);
  const secret = localVars.STRIPE_WEBHOOK_SECRET ?? "";
  const signature = site.stripe?.sdk.webhooks.generateTestHeaderString({ payload, secret }) ?? "";
  detour.plan(/^GET /, 500, "and-after");
  const headers = { "Stripe-Signature": signature };
  const answer = await site.fetch("/webhooks/stripe", { method: "POST", headers, body: payload });
  expect(answer.status).toBe(503);
  await visitor.open("/settings/orders");
  expect(visitor.text()).toMatch(beingConfirmed);
  detour.clear();
  await site.runCron(Date.now() + 120_000);
  await visitor.open("/settings/orders");
  expect(visitor.text()).not.toMatch(beingConfirmed);
});

test("a browser without scripts refreshes less and less often, and at least once a minute", async () => {
  const { visitor, back } = await payer("backoff@example.com");
  detour.plan(/^GET /, 500, "and-after");
  const waits: number[] = [];
  for (let path = back; waits.length < 6; path = refreshIn(visitor.html).path) {
    await visitor.open(path);
    waits.push(refreshIn(visitor.html).seconds);
  }
  expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  await visitor.open(`${refreshIn(visitor.html).path.replace(/looks=\d+/, "looks=99999999")}`);
  expect(refreshIn(visitor.html).seconds).toBe(60);
});

test("a single rate limit on the way back isn't noticeable, since the call is retried once", async () => {
  const { visitor, back } = await payer("retried@example.com");
  await site.stripe?.control("disorder", { drop: 1000, apiFault: { kind: "429", next: 2 } });
  await visitor.open(back);
  expect(visitor.heading()).toBe(messages.pages["new-plan"].success.title);
});
