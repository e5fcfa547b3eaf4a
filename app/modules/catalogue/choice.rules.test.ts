import { describe, expect, test } from "vitest";
import { free, large, minor, small } from "#tests/support/billing/catalogue.ts";
import { product } from "#app/product/config.ts";
import { checkChoice } from "./choice.rules.ts";
import type { Gate } from "./gate.rules.ts";
import type { Plan, ProductConfig } from "./rules.ts";

const retired: Plan = { ...small, id: "retired", sold: false };
const yearly: Plan = { ...large, id: "yearly", prices: { year: { amountMinor: 4000 } } };
const config: ProductConfig = { ...product, plans: [free, small, large, retired, yearly] };
const open: Gate = { kind: "none" };
const guards = (planId: string): Gate => ({ kind: "plan", planId });

function choose(planId: string, interval: "month" | "year" = "month", gate = open, ownPlanId: string | null = null) {
  return checkChoice({ product: config, gate }, { planId, interval }, ownPlanId);
}

describe("a chosen plan", () => {
  test.each(["month", "year"] as const)("by the %s costs the configured price in its currency", (interval) => {
    const price = { amountMinor: minor(small, interval), currency: config.currency };
    expect(choose(small.id, interval)).toEqual({ ok: true, value: { plan: small, price } });
  });

  test("is sold with its only interval, and not with the other one", () => {
    expect(choose("yearly", "year")).toMatchObject({ ok: true, value: { price: { amountMinor: 4000 } } });
    expect(choose("yearly", "month")).toEqual({ ok: false, refusal: { reason: "interval-not-sold" } });
  });

  test.each([
    ["that doesn't exist", "no-such-plan", "plan-unknown"],
    ["without a name", "", "plan-unknown"],
    ["that is free", free.id, "plan-is-free"],
    ["that is retired", "retired", "plan-retired"],
  ])("%s is refused, behind a gate as well", (_what, planId, reason) => {
    expect(choose(planId)).toEqual({ ok: false, refusal: { reason } });
    expect(choose(planId, "month", guards(planId))).toEqual({ ok: false, refusal: { reason } });
  });

  test("is refused as retired even to its own subscriber, who keeps it without choosing it again", () => {
    expect(choose("retired", "month", open, "retired")).toMatchObject({ refusal: { reason: "plan-retired" } });
  });
});

describe("behind the gate", () => {
  const behind = { ok: false, refusal: { reason: "plan-behind-gate", planId: large.id } };

  test("only the guarded plan is closed, with all its intervals", () => {
    expect(choose(large.id, "month", guards(large.id))).toEqual(behind);
    expect(choose(large.id, "year", guards(large.id))).toEqual(behind);
    expect(choose(small.id, "month", guards(large.id))).toMatchObject({ ok: true });
  });

  test("no plan is closed while the gate guards sign-up, or nothing", () => {
    expect(choose(large.id, "month", { kind: "signup" })).toMatchObject({ ok: true });
    expect(choose(large.id)).toMatchObject({ ok: true });
  });

  test("a subscriber may change the interval of the guarded plan; for other subscribers it is closed", () => {
    expect(choose(large.id, "year", guards(large.id), large.id)).toMatchObject({ ok: true });
    expect(choose(large.id, "year", guards(large.id), small.id)).toEqual(behind);
  });
});
