import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCalendarDay, type Day, dayOf, spellDay, startOfDay } from "#app/core/time/calendar.ts";
import { dayMs, formatDay, hourMs } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { earliestWithdrawable, longestWithdrawal, openWithdrawal, withdrawalEnd } from "./withdrawal-period.rules.ts";

const berlin = { withdrawalDays: 14, timeZone: "Europe/Berlin" } as const;
const paidAt = Date.UTC(2026, 10, 20, 13, 5);

/** On both sides of the date line, with half hours, and with clocks that change at midnight. */
const zones = [
  "Europe/Berlin",
  "America/Los_Angeles",
  "Atlantic/Azores",
  "Atlantic/Canary",
  "America/Martinique",
  "America/Havana",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Asia/Kolkata",
  "UTC",
];
const anyZone = fc.constantFrom(...zones);
const anyTime = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) });

function nextDay({ year, month, day }: Day): Day {
  return { year, month, day: day + 1 };
}

describe("the withdrawal period", () => {
  const untouched = { amountMinor: 1000, refundedMinor: 0, lostMinor: 0 };
  const bought = {
    kind: "new-plan",
    paidAt,
    buyerTimeZone: "Europe/Berlin",
    state: "paid",
    dispute: "none",
    ...untouched,
  } as const;
  const untilOf = (order: Pick<Order, "kind" | "paidAt" | "buyerTimeZone">, zone = "Europe/Berlin") =>
    withdrawalEnd(order, berlin, [zone])?.until;
  const inBerlin = (now: number) => ({ timeZone: "Europe/Berlin", now });

  test("ends with its last day, the day of the contract not counted", () => {
    const until = Date.UTC(2026, 11, 4, 23);
    expect(untilOf(bought)).toBe(until);
    expect(untilOf({ ...bought, paidAt: Date.UTC(2026, 10, 20, 22, 59) })).toBe(until);
    expect(untilOf({ ...bought, paidAt: Date.UTC(2026, 10, 20, 23) })).toBe(until + dayMs);
    expect(openWithdrawal(bought, berlin, inBerlin(until - 1))).toMatchObject({ until });
    expect(openWithdrawal(bought, berlin, inBerlin(until))).toBeNull();
  });

  test("ends for a customer in Los Angeles when the day that was promised is over there, also once they live in Berlin", () => {
    const there = { ...bought, buyerTimeZone: "America/Los_Angeles" };
    const until = Date.UTC(2026, 11, 5, 8);
    expect(withdrawalEnd(there, berlin, [])).toEqual({ lastDay: { year: 2026, month: 12, day: 4 }, until });
    expect(untilOf(there, "Europe/Berlin")).toBe(until);
    // And for one who has moved there since, and reads the day there.
    expect(untilOf(bought, "America/Los_Angeles")).toBe(until);
  });

  test("applies to paid purchases, not to renewals, and is absent if the config has none", () => {
    expect(untilOf({ ...bought, kind: "change" })).toBeDefined();
    expect(untilOf({ ...bought, kind: "renewal" })).toBeUndefined();
    expect(untilOf({ ...bought, paidAt: null })).toBeUndefined();
    expect(withdrawalEnd(bought, { ...berlin, withdrawalDays: "off" }, [])).toBeNull();
    expect(openWithdrawal({ ...bought, state: "refunded" }, berlin, inBerlin(paidAt))).toBeNull();
    expect(openWithdrawal({ ...bought, state: "partially-refunded" }, berlin, inBerlin(paidAt))).not.toBeNull();
  });

  test("is that of the order with the most time left, whose money is still with us", () => {
    const purchase = sampleOrder({ id: "ord_purchase", paidAt });
    const change = sampleOrder({ id: "ord_change", kind: "change", paidAt: paidAt + dayMs });
    const renewal = sampleOrder({ id: "ord_renewal", kind: "renewal", paidAt });
    const abandoned = sampleOrder({ id: "ord_abandoned", paidAt: null, state: "expired" });
    const longest = (...orders: (Order & { lostMinor?: number })[]) => {
      const rows = orders.map((order) => ({ lostMinor: 0, ...order, timeZone: "Europe/Berlin" }));
      return longestWithdrawal(rows, berlin, paidAt + 2 * dayMs)?.orderId;
    };
    expect(longest(abandoned, renewal, purchase, change)).toBe("ord_change");
    expect(longest(purchase, { ...change, state: "refunded" })).toBe("ord_purchase");
    const lost = { ...change, dispute: "lost", lostMinor: change.amountMinor } as const;
    expect(longest(purchase, lost)).toBe("ord_purchase");
    expect(longest(purchase, { ...lost, lostMinor: lost.amountMinor - 1 })).toBe("ord_change");
    // A goodwill refund, or a friend's discount that was paid back.
    expect(longest({ ...purchase, state: "partially-refunded", refundedMinor: 1 })).toBe("ord_purchase");
    expect(longest(renewal, abandoned)).toBeUndefined();
  });

  test("lasts, wherever seller and customer are and move to, to the end of the day that is shown, and no longer", () => {
    fc.assert(
      fc.property(anyTime, anyZone, anyZone, anyZone, (at, timeZone, buyerTimeZone, movedTo) => {
        const seller = { withdrawalDays: 14, timeZone };
        const order = { kind: "new-plan", paidAt: at, buyerTimeZone } as const;
        const shown = withdrawalEnd(order, seller, []);
        const end = withdrawalEnd(order, seller, [movedTo]);
        if (!shown || !end) throw new Error("It has a period");
        // What was promised is what is shown since, and nobody's day is cut short.
        expect(end.lastDay).toEqual(shown.lastDay);
        expect(end.until).toBeGreaterThanOrEqual(shown.until);
        const ends = [timeZone, buyerTimeZone, movedTo].map((zone) => startOfDay(nextDay(end.lastDay), zone));
        expect(end.until).toBe(Math.max(...ends));
        // Fourteen whole days follow the day of the contract, on both calendars.
        const days = [timeZone, buyerTimeZone].map((zone) => {
          const { year, month, day } = dayOf(at, zone);
          return (
            (Date.UTC(end.lastDay.year, end.lastDay.month - 1, end.lastDay.day) - Date.UTC(year, month - 1, day)) /
            dayMs
          );
        });
        expect(Math.min(...days)).toBe(14);
        // Two zones are up to 26 hours apart, so that their calendars may differ by two days.
        expect(Math.max(...days)).toBeLessThanOrEqual(16);
      }),
    );
  });

  test("is read of a payment at the beginning of a day, also where the customer moved to where it ends last", () => {
    const seller = { withdrawalDays: 14, timeZone: "Pacific/Kiritimati" };
    const at = startOfDay({ year: 2026, month: 10, day: 20 }, seller.timeZone);
    const order = { kind: "new-plan", paidAt: at, buyerTimeZone: null } as const;
    const end = withdrawalEnd(order, seller, ["Pacific/Pago_Pago"])?.until ?? 0;
    expect(end - at).toBe(16 * dayMs + hourMs);
    expect(at).toBeGreaterThan(earliestWithdrawable(seller, end - 1));
  });

  test("of every order that still has one began after the earliest payment that is read", () => {
    fc.assert(
      fc.property(anyTime, anyZone, anyZone, anyZone, (at, timeZone, buyerTimeZone, movedTo) => {
        const seller = { withdrawalDays: 14, timeZone };
        const end = withdrawalEnd({ kind: "new-plan", paidAt: at, buyerTimeZone }, seller, [movedTo]);
        expect(at).toBeGreaterThan(earliestWithdrawable(seller, (end?.until ?? 0) - 1));
      }),
    );
  });

  test("names a day that reads the same in every time zone", () => {
    fc.assert(
      fc.property(anyTime, anyZone, (at, timeZone) => {
        const day = dayOf(at, timeZone);
        expect(formatCalendarDay(day, { locale: "en-GB" })).toBe(formatDay(at, { locale: "en-GB", timeZone }));
        expect(formatCalendarDay(day, { locale: "en-CA" })).toBe(spellDay(day));
      }),
    );
  });

  test("is never shorter than promised, and never more than a day longer", () => {
    fc.assert(
      fc.property(anyTime, (at) => {
        const end = untilOf({ ...bought, paidAt: at }) ?? 0;
        // A day has 25 hours when the clocks go back.
        expect(end - at).toBeGreaterThan(14 * dayMs - hourMs);
        expect(end - at).toBeLessThanOrEqual(15 * dayMs + hourMs);
      }),
    );
  });
});
