import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { measured } from "../../bench/costs/measured.ts";
import { assumedActivity } from "./activity.ts";
import { freeLimits, priceOf, stripeFees, usageOf } from "./costs.rules.ts";
import { paidPlanUsd, paidPrices, resources } from "./prices.ts";

const of = (customers: number) => usageOf(customers, assumedActivity, measured);

test("more customers never use or cost less, and fewer limits are never passed", () => {
  const customers = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(customers, customers, (one, other) => {
      const [few, many] = [of(Math.min(one, other)), of(Math.max(one, other))];
      for (const resource of resources) expect(many[resource]).toBeGreaterThanOrEqual(few[resource]);
      expect(priceOf(many).usd).toBeGreaterThanOrEqual(priceOf(few).usd);
      const passed = (usage: typeof few) => freeLimits(usage, measured).filter(({ isPassed }) => isPassed).length;
      expect(passed(many)).toBeGreaterThanOrEqual(passed(few));
    }),
  );
});

test("more of an activity never costs less", () => {
  const names = Object.keys(assumedActivity) as (keyof typeof assumedActivity)[];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.double({ min: 0, max: 1000, noNaN: true }), (name, more) => {
      const busier = { ...assumedActivity, [name]: assumedActivity[name] + more };
      const usage = usageOf(50_000, busier, measured);
      expect(priceOf(usage).usd).toBeGreaterThanOrEqual(priceOf(of(50_000)).usd);
      expect(stripeFees(100, busier)).toBeGreaterThanOrEqual(stripeFees(100, assumedActivity));
    }),
  );
});

test("a site without customers costs the plan, and its cron job runs", () => {
  expect(priceOf(of(0)).usd).toBe(paidPlanUsd);
  expect(of(0).requests).toBe(43_200);
  expect(stripeFees(0, assumedActivity)).toBe(0);
});

test.each(resources)("%s cost nothing up to what is included, and their price above", (resource) => {
  const { included, per, usd } = paidPrices[resource];
  expect(priceOf({ ...of(0), [resource]: included }).usd).toBe(paidPlanUsd);
  expect(priceOf({ ...of(0), [resource]: included + 3 * per }).usd).toBeCloseTo(paidPlanUsd + 3 * usd);
});

test("the free plan sends customers no email, so that limit is always the first", () => {
  expect(freeLimits(of(1), measured)[0]).toMatchObject({ limit: "emails", isPassed: true });
});

test("the guide says how many customers pass the free plan's limits of rows", () => {
  const guide = readFileSync("docs/guides/deploy.md", "utf8");
  const [, first = "", second = ""] = /some ([\d,]+) customers and the second by some ([\d,]+)\./.exec(guide) ?? [];
  const passedBy = (resource: "rowsRead" | "rowsWritten", customers: number) =>
    freeLimits(of(customers), measured).find(({ limit }) => limit === resource)?.isPassed;
  for (const [resource, documented] of [
    ["rowsRead", first],
    ["rowsWritten", second],
  ] as const) {
    const customers = Number(documented.replace(",", ""));
    expect([passedBy(resource, customers * 0.95), passedBy(resource, customers * 1.05)]).toEqual([false, true]);
  }
});
