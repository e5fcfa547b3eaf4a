import { afterAll, beforeAll, expect, test } from "vitest";
import { free, price, small } from "#tests/support/catalogue.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { ordersOf, planPath, subscriber } from "./subscribers.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test("all of a running period given back ends the plan, and plan, order and payment say so", async () => {
  const visitor = await subscriber(site, "given-back@example.com");
  const [order] = await ordersOf(site, "given-back@example.com");
  await site.stripe?.control("refund", { order: order?.id });
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`${free.name}, nothing to pay`);
  expect(visitor.text()).toContain(`${small.name} ended on`);
  await visitor.open(`/settings/orders?order=${order?.id}`);
  expect(visitor.text()).toContain(`${price(small)} was sent back to you`);
  await visitor.open(`/payment/success?order=${order?.id}`);
  expect(visitor.heading()).toBe("This was paid");
  expect(visitor.text()).toContain("All of it has been refunded since.");
  expect(visitor.text()).not.toContain("yours from now on");
});

test("a charge that the bank takes back leaves the plan until it is lost, and ends it then", async () => {
  const visitor = await subscriber(site, "taken-back@example.com");
  const [order] = await ordersOf(site, "taken-back@example.com");
  await site.stripe?.control("dispute", { order: order?.id });
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`You are on ${small.name}.`);
  for (const path of [planPath, "/settings/orders", `/settings/orders?order=${order?.id}`]) {
    await visitor.open(path);
    expect(visitor.text(), path).toContain("disputed");
  }
  await site.stripe?.control("dispute", { order: order?.id, outcome: "lost" });
  await visitor.open("/settings/orders");
  expect(visitor.text()).toContain("taken back");
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`${small.name} ended on`);
  await visitor.open(`/payment/success?order=${order?.id}`);
  expect(visitor.heading()).toBe("This was paid");
  expect(visitor.text()).toContain("Your bank has given this payment back to you.");
});
