import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { free, large } from "#tests/support/billing/catalogue.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { againOf, moneyBackOf } from "./plan-ahead.ts";

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
