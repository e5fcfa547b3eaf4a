import { product } from "#app/product/config.ts";
import { payDueMessages, firstPaymentMessages } from "#app/routes/settings/messages.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { beginningOf, gap } from "#tests/support/clients/message-patterns.ts";
import { expect, test } from "vitest";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import {
  planMessages,
  dueMessages,
  planAheadMessages,
  planNoticesMessages,
  endingMessages,
} from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages, openChoiceMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { cards, changeCard, openCheckout, send, signIn, signUp, subscriber } from "#tests/support/clients/customers.ts";
import { free, large, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { advance, advanceToRenewal, customerOf, keepPace, ordersOf, planPath } from "./subscribers.ts";
import { billingFields, checkoutFields } from "#tests/support/billing/checkout-fields.ts";

function linkOf(visitor: Visitor, label: string): string {
  const found = [...visitor.html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].find(([, , inside = ""]) =>
    inside.replace(/<[^>]+>/g, "").includes(label),
  );
  return (found?.[1] ?? "none").replaceAll("&amp;", "&");
}

const site = useSite({ vars: { LAUNCH_GATE: "none" } });

/** The team gives a trial, which pauses if no payment method follows. */
async function tries(address: string): Promise<void> {
  const visitor = await signUp(site, address);
  await openCheckout(visitor);
  const { stripe } = site;
  const customer = (await stripe?.sdk.customers.list({ email: address }))?.data[0]?.id ?? "";
  const [open] = (await stripe?.sdk.checkout.sessions.list({ customer }))?.data ?? [];
  await stripe?.control("checkout", { session: open?.id, outcome: "expired" });
  const [sold] = (await stripe?.sdk.prices.list({ lookup_keys: [priceKey(large.id, "month")] }))?.data ?? [];
  await stripe?.sdk.subscriptions.create({
    customer,
    items: [{ price: sold?.id ?? "" }],
    trial_period_days: 30,
    trial_settings: { end_behavior: { missing_payment_method: "pause" } },
  });
}

/** An account whose trial has paused, signed in. */
async function paused(address: string): Promise<Visitor> {
  await tries(address);
  await advance(site, 31);
  await keepPace(site);
  return (await signIn(site, address)).open(planPath);
}

/** The plans that an account has had, oldest first, in our table and at the provider. */
async function plansOf(address: string) {
  const db = await site.database();
  const { results } = await db
    .prepare(
      `select s.id, s.state, s.plan_id as planId from subscriptions s join accounts a on a.id = s.account_id
       where a.email = ? order by s.started_at`,
    )
    .bind(address)
    .all<{ id: string; state: string; planId: string }>();
  const atStripe = await Promise.all(results.map(({ id }) => site.stripe?.sdk.subscriptions.retrieve(id)));
  return results.map(({ state, planId }, index) => ({ state, planId, there: atStripe[index]?.status }));
}

const goOn = planNoticesMessages.en.paused.continueWith(large.name, price(large), planMessages.en.per.month);

test("a paused plan says so, announces no charge and no end in the past, and shows what continuing costs", async () => {
  const visitor = await paused("paused@example.com");
  expect(visitor.text()).toContain(planNoticesMessages.en.paused.title(large.name));
  expect(visitor.text()).toContain(goOn);
  expect(visitor.text()).not.toContain(planMessages.en.next);
  expect(visitor.text()).not.toContain(endingMessages.en.cancel.button);
  await visitor.open("/settings");
  const { causes, meanwhile } = planNoticesMessages.en.paused;
  expect(visitor.text()).toContain(`${causes["trial-ended"]} ${meanwhile(product.lockedMeans)}`);
});

test("a paused plan behind its own gate can be continued: it ends when the new one is paid, and not before", async () => {
  const address = "goes-on@example.com";
  const visitor = await paused(address);
  await site.setGate(`plan:${large.id}`);
  await visitor.open(planPath);
  await visitor.open(linkOf(visitor, goOn));
  expect(visitor.heading()).toBe(upgradeMessages.en.confirm.titleAgain(large.name));
  // It is the same plan: nothing is replaced.
  expect(visitor.text()).not.toContain(upgradeMessages.en.confirm.replacesText(large.name));
  await openCheckout(visitor);
  const checkout = visitor.url;
  expect(checkout).toContain("/checkout/");
  expect(await plansOf(address)).toEqual([{ state: "paused", planId: large.id, there: "paused" }]);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(firstPaymentMessages.en.unfinished.title(large.name));
  await visitor.open(await send(checkout, checkoutFields(cards.good)));
  expect(await plansOf(address)).toEqual([
    { state: "ended", planId: large.id, there: "canceled" },
    { state: "active", planId: large.id, there: "active" },
  ]);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(
    `${changeMessages.en.next} ${beginningOf(changeMessages.en.nextText(price(large), gap))}`,
  );
  await site.setGate(null);
});

test("a paused plan can be replaced by another one, and payment by debit ends it only when the payment has arrived", async () => {
  const address = "by-debit@example.com";
  const visitor = await paused(address);
  await visitor.open("/settings/upgrade?interval=year");
  await visitor.press(upgradeMessages.en.choose(small.name));
  await openCheckout(visitor);
  await visitor.open(await send(visitor.url, { bank: "succeeds", ...billingFields }));
  await visitor.open(planPath);
  expect(visitor.text()).toContain(firstPaymentMessages.en.starting.title(small.name, price(small, "year")));
  expect((await plansOf(address)).map(({ state }) => state)).toEqual(["paused", "incomplete"]);
  await advance(site, 8);
  expect((await plansOf(address)).map(({ state }) => state)).toEqual(["ended", "active"]);
});

test("a paused plan can be ended separately, after a confirmation", async () => {
  const visitor = await paused("ends@example.com");
  await visitor.press(endingMessages.en.endNow.button);
  expect(visitor.text()).toContain(planMessages.en.free.title(free.name));
});

test("a plan that the team paused says so and whom to ask, and offers no other in its place", async () => {
  const address = "by-team@example.com";
  const visitor = await subscriber(site, address);
  const [plan] = (await site.stripe?.sdk.subscriptions.list({ customer: await customerOf(site, address) }))?.data ?? [];
  await site.stripe?.control("pause", { subscription: plan?.id, paused: "yes" });
  const { paused: messages } = planNoticesMessages.en;
  await visitor.open(planPath);
  expect(visitor.text()).toContain(messages.causes.requested);
  expect(visitor.text()).toContain(messages.ask(product.support));
  expect(visitor.text()).not.toContain(messages.causes["trial-ended"]);
  expect(visitor.text()).not.toContain(beginningOf(messages.continueWith(small.name, gap, gap)));
  await visitor.open("/settings");
  expect(visitor.text()).toContain(messages.causes.requested);
});

test("a plan that Stripe pauses for a declined renewal asks for the payment, and for nothing about a trial", async () => {
  const address = "by-setting@example.com";
  const visitor = await subscriber(site, address, { card: cards.failsLater });
  await site.stripe?.control("retries", { pausesAfter: "first" });
  await advanceToRenewal(site, address);
  await site.stripe?.control("retries", {});
  const { paused: messages } = planNoticesMessages.en;
  await visitor.open(planPath);
  expect(visitor.text()).toContain(dueMessages.en.title(price(small)));
  expect(visitor.text()).toContain(dueMessages.en.locked(product.lockedMeans));
  expect(visitor.text()).not.toContain(messages.causes["trial-ended"]);
  await changeCard(visitor, cards.good, payDueMessages.en.another.card);
  await expect
    .poll(async () => (await visitor.open(planPath)).text())
    .toContain(`${small.name} ${planMessages.en.states.active}`);
});

test("a first payment that was declined is shown on the plan page and beside the plans, with the way to continue", async () => {
  const address = "declined@example.com";
  const visitor = await signUp(site, address);
  const session = await openCheckout(visitor);
  await site.stripe?.control("checkout", { session, outcome: "declined" });
  const [order] = await ordersOf(site, address);
  expect(order?.state).toBe("failed");
  for (const path of [planPath, "/settings/upgrade"]) {
    await visitor.open(path);
    expect(visitor.text()).toContain(
      path === planPath ? firstPaymentMessages.en.declined.title(small.name) : openChoiceMessages.en.start(small.name),
    );
    expect(visitor.html).toContain(
      path === planPath
        ? `/settings/upgrade?plan=${small.id}&amp;interval=month`
        : `/payment/failed?order=${order?.id}`,
    );
  }
  await visitor.open("/settings");
  expect(visitor.html).toContain(`/settings/upgrade?plan=${small.id}&amp;interval=month`);
  // A customer who doesn't continue isn't reminded of it, and can't pay for it any more.
  await visitor.open(planPath);
  await visitor.press(firstPaymentMessages.en.giveUp);
  expect(visitor.text()).toContain(flashMessages.en["purchase-given-up"]);
  expect(visitor.text()).not.toContain(firstPaymentMessages.en.declined.title(small.name));
  expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["cancelled"]);
  expect((await site.stripe?.sdk.checkout.sessions.retrieve(session))?.status).toBe("expired");
});

test("a first payment that fails days later isn't called a plan that ended", async () => {
  const address = "never-began@example.com";
  const visitor = await signUp(site, address);
  const session = await openCheckout(visitor);
  for (const outcome of ["processing", "declined"]) await site.stripe?.control("checkout", { session, outcome });
  const states = async () => (await ordersOf(site, address)).map(({ state }) => state);
  await expect.poll(states).toEqual(["failed"]);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(firstPaymentMessages.en.declined.title(small.name));
  expect(visitor.text()).not.toContain(beginningOf(planAheadMessages.en.ended.other(small.name, gap)));
  expect(visitor.text()).not.toContain(planMessages.en.why);
});

test("while a bank processes a first payment, no other plan is offered", async () => {
  const address = "on-its-way@example.com";
  const visitor = await signUp(site, address);
  const session = await openCheckout(visitor);
  await site.stripe?.control("checkout", { session, outcome: "processing" });
  await visitor.open("/settings/upgrade");
  expect(visitor.text()).toContain(openChoiceMessages.en.processing(small.name));
  expect(visitor.text()).not.toContain(beginningOf(upgradeMessages.en.choose(gap)));
});

test("the running plan is shown with its price and its next charge", async () => {
  const visitor = await (await subscriber(site, "runs@example.com")).open(planPath);
  expect(visitor.text()).toContain(
    `${changeMessages.en.next} ${beginningOf(changeMessages.en.nextText(price(small), gap))}`,
  );
});
