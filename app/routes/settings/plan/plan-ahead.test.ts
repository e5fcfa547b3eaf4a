import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { free, large, small } from "#tests/support/billing/catalogue.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { planAheadMessages } from "./plan-ahead.messages.ts";
import { againOf, exceedsFree, moneyBackOf } from "./plan-ahead.ts";

const [meter] = product.meters;
const usage = (devices: number, value: number | null) => ({
  devices: { used: devices, limit: small.limits.devices },
  meters: meter ? [{ ...meter, limit: 0, used: value === null ? null : { value, reportedAt: 0 } }] : [],
});

describe("what is used beyond the free plan", () => {
  const limit = (free.limits as Plan["limits"] & Record<string, number>)[meter?.limit ?? ""] ?? 0;

  test("is named with its limit, for devices and each meter", () => {
    const sentences = exceedsFree(product, usage(free.limits.devices + 1, 2 * limit), "en-GB");
    const devices = { label: null, used: String(free.limits.devices + 1), limit: String(free.limits.devices) };
    const stored = (value: number) => formatQuantity(value, meter?.unit ?? "count", "en-GB");
    const metered = { label: meter?.label ?? "", used: stored(2 * limit), limit: stored(limit) };
    expect(sentences).toBe([devices, metered].map((each) => planAheadMessages.en.exceeds(free.name, each)).join(" "));
  });

  test("is nothing up to the limits, without a report, and without a free plan", () => {
    expect(exceedsFree(product, usage(free.limits.devices, limit), "en-GB")).toBe("");
    expect(exceedsFree(product, usage(0, null), "en-GB")).toBe("");
    const paidOnly = { ...product, plans: product.plans.filter(({ prices }) => prices !== null) };
    expect(exceedsFree(paidOnly, usage(1000, limit + 1), "en-GB")).toBe("");
  });
});

describe("money back", () => {
  const paidAt = Date.UTC(2026, 10, 20, 12);
  const renewal = sampleOrder({ id: "ord_renewal", kind: "renewal", paidAt });
  const purchase = sampleOrder({ id: "ord_purchase", paidAt });
  const change = sampleOrder({ id: "ord_change", kind: "change", paidAt: paidAt + dayMs });

  test("is offered for the order with the most time left, and neither for renewals nor refunded orders", () => {
    expect(moneyBackOf(product, [renewal, purchase, change], paidAt + 2 * dayMs)?.orderId).toBe("ord_change");
    expect(moneyBackOf(product, [purchase, { ...change, refundedMinor: 1 }], paidAt)?.orderId).toBe("ord_purchase");
    expect(moneyBackOf(product, [renewal], paidAt)).toBeNull();
  });

  test("ends with the withdrawal period, and isn't offered by a product without one", () => {
    const until = moneyBackOf(product, [purchase], paidAt)?.until ?? 0;
    expect(moneyBackOf(product, [purchase], until - 1)).not.toBeNull();
    expect(moneyBackOf(product, [purchase], until)).toBeNull();
    expect(moneyBackOf({ ...product, withdrawalDays: "off" }, [purchase], paidAt)).toBeNull();
  });
});

test("a plan that ended can be started again for the same period while it is sold", () => {
  expect(againOf(product, { planId: large.id, interval: "year" })).toEqual({
    name: large.name,
    to: `/settings/upgrade?plan=${large.id}&interval=year`,
  });
  expect(againOf(product, { planId: "plan-of-old", interval: "month" })).toBeNull();
  expect(againOf(product, { planId: free.id, interval: "month" })).toBeNull();
});
