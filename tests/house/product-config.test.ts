import { describe, expect, test } from "vitest";
import { leastCharge } from "#app/domain/kernel/charge.ts";
import { withDefaults } from "#app/domain/product/preferences.rules.ts";
import { freePlan, gateWord, type ProductConfig, readGate } from "#app/domain/product/rules.ts";
import { product } from "#app/product.config.ts";

/** What the types of app/product.config.ts can't say: a team that edits it hears of a slip here. */
const config: ProductConfig = product;

function twice(list: readonly string[]): string[] {
  return list.filter((word, index) => list.indexOf(word) !== index);
}

describe("the configuration of the product", () => {
  test("has one plan that costs nothing, and the others behind it, cheapest first", () => {
    const prices = config.plans.map(({ prices: price }) => price?.month.amountMinor ?? 0);
    expect(prices).toEqual(prices.toSorted((left, right) => left - right));
    expect(config.plans.filter((plan) => plan.prices === null)).toEqual([freePlan(config)]);
  });

  test("names no plan, meter or preference twice, and none as no address or lookup key can be", () => {
    const names = [config.plans.map(({ id }) => id), config.meters.map(({ key }) => key)];
    const keys = config.preferences.map(({ key }) => key);
    expect([...names, keys].flatMap(twice)).toEqual([]);
    expect([config.segment, ...names.flat(), ...keys].filter((name) => !/^[A-Za-z][\w-]*$/.test(name))).toEqual([]);
  });

  test("keeps the form's own words from being preferences", () => {
    const own = ["intent", "version", "shown"];
    expect(config.preferences.filter(({ key }) => own.includes(key))).toEqual([]);
  });

  test("calls each meter something that a subject of a mail can begin with: no run of digits that might be a code, and short", () => {
    const labels = config.meters.map(({ label }) => label);
    expect(labels.filter((label) => /\d{8}/.test(label) || label.length > 30)).toEqual([]);
  });

  test("has a gate that stands before something", () => {
    expect(gateWord(readGate(config, undefined)) ?? "none").toBe(config.gate);
  });

  test("gives every plan each of the limits that something is measured against", () => {
    const wanted = ["devices", ...config.meters.map(({ limit }) => limit)];
    const unsaid = config.plans.flatMap(({ id, limits }) =>
      wanted.filter((limit) => !Number.isSafeInteger(limits[limit])).map((limit) => `${id}: ${limit}`),
    );
    expect(unsaid).toEqual([]);
  });

  test("leaves an invited friend nothing to pay, or at least the smallest amount that Stripe charges", () => {
    const { currency, referral, plans } = config;
    const rests = plans.flatMap(({ id, prices }) =>
      Object.entries(prices ?? {}).map(([interval, { amountMinor }]) => ({
        price: `${id} by the ${interval}`,
        restMinor: Math.max(0, amountMinor - referral.friendDiscountMinor),
      })),
    );
    expect(rests.filter(({ restMinor }) => restMinor > 0 && restMinor < leastCharge(currency))).toEqual([]);
  });

  test("has defaults that its own preferences take", () => {
    const defaults = Object.fromEntries(config.preferences.map((preference) => [preference.key, preference.default]));
    // One that doesn't fit is not among what can be chosen.
    const askew = config.preferences.filter(
      (preference) =>
        withDefaults([{ ...preference, default: "none" } as typeof preference], defaults)[preference.key] === "none",
    );
    expect(askew.map(({ key }) => key)).toEqual([]);
  });
});
