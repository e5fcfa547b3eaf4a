import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { large, price, small } from "#tests/support/billing/catalogue.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { advance, choose, endAllPlans, invoicesOf, ordersOf, planPath, subscriptionOf } from "./subscribers.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ vars: { LAUNCH_GATE: "none" } });
});
afterEach(() => endAllPlans(site));
afterAll(() => site.close());

const minuteDays = 1 / 1440;

/** A visitor's days are those of the config's time zone until they choose another. */
const dayOf = (seconds: number) => formatDay(seconds * 1000, product);

/**
 * A minute into the next period: its invoice is a draft, and charged in an hour, which near midnight is the next day.
 * Returns when that is, and when the period ends.
 */
async function beginNextPeriod(address: string): Promise<{ charged: number; ends: number }> {
  const { item } = await subscriptionOf(site, address);
  await advance(site, (item.current_period_end - item.current_period_start) / (dayMs / 1000) + minuteDays);
  const charged = (await invoicesOf(site, address))[0]?.automatically_finalizes_at ?? Number.NaN;
  return { charged, ends: (await subscriptionOf(site, address)).item.current_period_end };
}

test("while a renewal's invoice is a draft, that is the next charge, and afterwards the one of the next period", async () => {
  const address = "drawn@example.com";
  const visitor = await subscriber(site, address);
  const { charged, ends } = await beginNextPeriod(address);
  expect((await invoicesOf(site, address)).map(({ status }) => status)).toEqual(["draft", "paid"]);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`Next charge ${price(small)} on ${dayOf(charged)}`);
  await visitor.open("/settings");
  expect(visitor.text()).toContain(`The next charge is ${price(small)} on ${dayOf(charged)}.`);
  await advance(site, 61 * minuteDays);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`Next charge ${price(small)} on ${dayOf(ends)}`);
  expect((await ordersOf(site, address)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    "new-plan paid",
    "renewal paid",
  ]);
});

test("a smaller plan that begins names in its email and on the page what is charged for it within the hour", async () => {
  const address = "begins@example.com";
  const visitor = await subscriber(site, address, { plan: large.id });
  await choose(visitor, small.id);
  await visitor.press(`Change to ${small.name} for ${price(small)} a month from`);
  const { charged } = await beginNextPeriod(address);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`Next charge ${price(small)} on ${dayOf(charged)}`);
  const changed = (await site.mailsTo(address, 4)).find(({ subject }) => subject.startsWith("You changed"));
  expect(changed?.text.replaceAll(/\s+/g, " ")).toContain(`The next charge is ${price(small)} on ${dayOf(charged)}.`);
});

test("a smaller plan that is chosen in that hour is quoted with the charge that comes before it", async () => {
  const address = "chosen-then@example.com";
  const visitor = await subscriber(site, address, { plan: large.id });
  const { charged, ends } = await beginNextPeriod(address);
  await choose(visitor, small.id);
  expect(visitor.text()).toContain(`Begins on ${dayOf(ends)}`);
  expect(visitor.text()).toContain(`Next charge ${price(large)} on ${dayOf(charged)}`);
  await visitor.press(`Change to ${small.name} for ${price(small)} a month from`);
  expect(visitor.text()).toContain(`${small.name} from ${dayOf(ends)}`);
});

test("a customer who ends a plan in that hour is informed of the charge that still comes", async () => {
  const address = "ends-then@example.com";
  const visitor = await subscriber(site, address);
  const { charged, ends } = await beginNextPeriod(address);
  await visitor.open(planPath);
  const last = `pay nothing after the ${price(small)} for the period that has just begun`;
  expect(visitor.text()).toContain(`It then ends on ${dayOf(ends)}. You keep everything until then, and ${last}.`);
  await visitor.press("Cancel at the end of the period");
  expect(visitor.text()).toContain(`Next charge ${price(small)} on ${dayOf(charged)}`);
  expect(visitor.text()).toContain(`Until then you keep everything, and you ${last}.`);
  await advance(site, 61 * minuteDays);
  await visitor.open(planPath);
  expect(visitor.text()).not.toContain("Next charge");
  expect(visitor.text()).toContain("you pay nothing more.");
});

test("a plan whose collection the team has paused continues, promises no charge and can't be changed; then all is as before", async () => {
  const address = "held@example.com";
  const visitor = await subscriber(site, address);
  const { id } = await subscriptionOf(site, address);
  const hold = (behavior: "void" | null) =>
    site.stripe?.sdk.subscriptions.update(id, { pause_collection: behavior ? { behavior } : "" });
  await hold("void");
  await advance(site, 0);
  await visitor.open(planPath);
  expect(visitor.text()).toContain("State running");
  expect(visitor.text()).toContain("Next charge none at the moment: we have put the charges for your plan on hold");
  await visitor.open("/settings");
  expect(visitor.text()).toContain(`You are on ${small.name}. Nothing is charged for it at the moment.`);
  await choose(visitor, large.id);
  expect(visitor.text()).toContain("We have put the charges for your plan on hold");
  expect(visitor.html).toContain(`mailto:${product.support}`);
  await beginNextPeriod(address);
  await visitor.open(planPath);
  expect(visitor.text()).toContain("Next charge none at the moment");
  await advance(site, 61 * minuteDays);
  expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid"]);
  await hold(null);
  await advance(site, 0);
  await visitor.open(planPath);
  const { item } = await subscriptionOf(site, address);
  expect(visitor.text()).toContain(`Next charge ${price(small)} on ${dayOf(item.current_period_end)}`);
});
