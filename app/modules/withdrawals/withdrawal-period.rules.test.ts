import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import {
  earliestWithdrawable,
  longestWithdrawal,
  openWithdrawal,
  withdrawalEndsAt,
} from "./withdrawal-period.rules.ts";

const berlin = { withdrawalDays: 14, timeZone: "Europe/Berlin" } as const;
const paidAt = Date.UTC(2026, 10, 20, 13, 5);

describe("the withdrawal period", () => {
  const bought = { kind: "new-plan", paidAt, state: "paid", dispute: "none" } as const;

  test("ends with its last day by the seller's calendar, the day of the contract not counted", () => {
    const end = Date.UTC(2026, 11, 4, 23);
    expect(withdrawalEndsAt(bought, berlin)).toBe(end);
    expect(withdrawalEndsAt({ ...bought, paidAt: Date.UTC(2026, 10, 20, 22, 59) }, berlin)).toBe(end);
    expect(withdrawalEndsAt({ ...bought, paidAt: Date.UTC(2026, 10, 20, 23) }, berlin)).toBe(end + dayMs);
    expect(openWithdrawal(bought, berlin, end - 1)).toEqual({ until: end });
    expect(openWithdrawal(bought, berlin, end)).toBeNull();
  });

  test("applies to paid purchases, not to renewals, and is absent if the config has none", () => {
    expect(withdrawalEndsAt({ kind: "change", paidAt }, berlin)).not.toBeNull();
    expect(withdrawalEndsAt({ kind: "renewal", paidAt }, berlin)).toBeNull();
    expect(withdrawalEndsAt({ kind: "new-plan", paidAt: null }, berlin)).toBeNull();
    expect(withdrawalEndsAt(bought, { ...berlin, withdrawalDays: "off" })).toBeNull();
    expect(openWithdrawal({ ...bought, state: "refunded" }, berlin, paidAt)).toBeNull();
    expect(openWithdrawal({ ...bought, state: "partially-refunded" }, berlin, paidAt)).not.toBeNull();
  });

  test("is that of the order with the most time left, whose money is still with us", () => {
    const purchase = sampleOrder({ id: "ord_purchase", paidAt });
    const change = sampleOrder({ id: "ord_change", kind: "change", paidAt: paidAt + dayMs });
    const renewal = sampleOrder({ id: "ord_renewal", kind: "renewal", paidAt });
    const abandoned = sampleOrder({ id: "ord_abandoned", paidAt: null, state: "expired" });
    const longest = (...orders: Order[]) => longestWithdrawal(orders, berlin, paidAt + 2 * dayMs)?.orderId;
    expect(longest(abandoned, renewal, purchase, change)).toBe("ord_change");
    expect(longest(purchase, { ...change, state: "refunded" })).toBe("ord_purchase");
    expect(longest(purchase, { ...change, dispute: "lost" })).toBe("ord_purchase");
    // A goodwill refund, or a friend's discount that was paid back.
    expect(longest({ ...purchase, state: "partially-refunded", refundedMinor: 1 })).toBe("ord_purchase");
    expect(longest(renewal, abandoned)).toBeUndefined();
  });

  test("of every order that still has one began after the earliest payment that is read", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) }), (at) => {
        const end = withdrawalEndsAt({ kind: "new-plan", paidAt: at }, berlin) ?? 0;
        expect(at).toBeGreaterThan(earliestWithdrawable(berlin, end - 1));
      }),
    );
  });

  test("is read of a payment at the beginning of a day, also if the clocks go back since", () => {
    const at = Date.UTC(2026, 9, 19, 22);
    const end = withdrawalEndsAt({ kind: "new-plan", paidAt: at }, berlin) ?? 0;
    expect(end - at).toBe(15 * dayMs + dayMs / 24);
    expect(at).toBeGreaterThan(earliestWithdrawable(berlin, end - 1));
  });

  test("is never shorter than promised, and never a whole day longer", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) }), (at) => {
        const end = withdrawalEndsAt({ kind: "new-plan", paidAt: at }, berlin) ?? 0;
        // A day has 25 hours when the clocks go back.
        expect(end - at).toBeGreaterThan(14 * dayMs - dayMs / 24);
        expect(end - at).toBeLessThanOrEqual(15 * dayMs + dayMs / 24);
      }),
    );
  });
});
