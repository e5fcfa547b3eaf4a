import { afterAll, beforeAll, expect, test } from "vitest";
import { priceKey } from "#app/domain/product/rules.ts";
import { planWords } from "#app/routes/plan.words.ts";
import { upgradeWords } from "#app/routes/upgrade.words.ts";
import { free, large, price, small } from "#tests/support/catalogue.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { advance, keepPace, ordersOf, planPath, signIn, subscriber } from "./subscribers.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ vars: { LAUNCH_GATE: "none" } });
});
afterAll(() => site.close());

/** The team gives a plan to try, which pauses where no way to pay follows. */
async function tries(address: string): Promise<void> {
  const visitor = await site.visitor().open("/signup");
  await visitor.press("Send me a code", { email: address, terms: "on" });
  await visitor.press("Confirm", { code: await site.codeTo(address) });
  await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
  await visitor.press(`Start ${small.name}`);
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

test("a plan that was paused says so, promises no charge and no end in the past, and can be ended and chosen anew", async () => {
  const address = "paused@example.com";
  await tries(address);
  await advance(site, 31);
  await keepPace(site);
  const visitor = await (await signIn(site, address)).open(planPath);
  expect(visitor.text()).toContain(`${large.name} is paused`);
  expect(visitor.text()).not.toContain("Next charge");
  expect(visitor.text()).not.toContain("It then ends on");
  await visitor.open("/settings");
  expect(visitor.text()).toContain(`You are on ${large.name}, which is paused. Nothing is charged.`);
  await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
  expect(visitor.text()).toContain("Your plan is paused.");
  await visitor.open(planPath);
  await visitor.press(planWords.en.endNow.button);
  expect(visitor.text()).toContain(`${free.name}, nothing to pay`);
  await visitor.open(`/settings/upgrade?plan=${large.id}&interval=month`);
  await visitor.press(`Start ${large.name}`);
  expect(visitor.url).toContain("/checkout/");
});

test("a first payment that was declined stands on the plan page and beside the plans, with the way on", async () => {
  const address = "declined@example.com";
  const visitor = await site.visitor().open(`/signup?plan=${small.id}&interval=month`);
  await visitor.press("Send me a code", { email: address, terms: "on" });
  await visitor.press("Confirm", { code: await site.codeTo(address) });
  await visitor.press("Start ");
  const session = new URL(visitor.url).pathname.split("/").at(-1);
  await site.stripe?.control("checkout", { session, outcome: "declined" });
  const [order] = await ordersOf(site, address);
  expect(order?.state).toBe("failed");
  for (const path of [planPath, "/settings/upgrade"]) {
    await visitor.open(path);
    expect(visitor.text()).toContain(
      path === planPath ? planWords.en.declined.title(small.name) : upgradeWords.en.open.start(small.name),
    );
    expect(visitor.html).toContain(`/payment/failed?order=${order?.id}`);
  }
});

test("while a bank works on a first payment no other plan is offered", async () => {
  const address = "on-its-way@example.com";
  const visitor = await site.visitor().open(`/signup?plan=${small.id}&interval=month`);
  await visitor.press("Send me a code", { email: address, terms: "on" });
  await visitor.press("Confirm", { code: await site.codeTo(address) });
  await visitor.press("Start ");
  const session = new URL(visitor.url).pathname.split("/").at(-1);
  await site.stripe?.control("checkout", { session, outcome: "processing" });
  await visitor.open("/settings/upgrade");
  expect(visitor.text()).toContain(`Your payment for ${small.name} is on its way`);
  expect(visitor.text()).not.toContain("Choose ");
});

test("what runs is said with its price and its next charge", async () => {
  const visitor = await (await subscriber(site, "runs@example.com")).open(planPath);
  expect(visitor.text()).toContain(`Next charge ${price(small)} on`);
});
