import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMoney, money } from "#app/core/money/money.ts";
import { chargeResult, explain, stepsToCharge, sumRows } from "./amount-breakdown.rules.ts";

describe("the amount charged", () => {
  test("is the lines less discount and credit", () => {
    const order = { amountMinor: 100, discountMinor: 500, creditMinor: 0 };
    expect(stepsToCharge(order, [{ amountMinor: 600 }])).toEqual([{ what: "discount", amountMinor: -500 }]);
    const withCredit = { amountMinor: 0, discountMinor: 500, creditMinor: 100 };
    expect(stepsToCharge(withCredit, [{ amountMinor: 600 }])).toEqual([
      { what: "discount", amountMinor: -500 },
      { what: "credit", amountMinor: -100 },
    ]);
    expect(stepsToCharge({ amountMinor: 600, discountMinor: 0, creditMinor: 0 }, [{ amountMinor: 600 }])).toEqual([]);
  });

  test("is zero for a change that costs less than nothing, and the remainder is shown", () => {
    const lines = [{ amountMinor: -1500 }, { amountMinor: 600 }];
    expect(stepsToCharge({ amountMinor: 0, discountMinor: 0, creditMinor: 0 }, lines)).toEqual([
      { what: "credited", amountMinor: 900 },
    ]);
    expect(stepsToCharge({ amountMinor: 0, discountMinor: 0, creditMinor: -900 }, lines)).toEqual([
      { what: "credited", amountMinor: 900 },
    ]);
  });

  test("has a separate step for amounts too small to be collected alone, earlier or now", () => {
    const none = { discountMinor: 0, creditMinor: 0 };
    expect(stepsToCharge({ amountMinor: 0, ...none }, [{ amountMinor: 30 }])).toEqual([
      { what: "carried-to", amountMinor: -30 },
    ]);
    expect(stepsToCharge({ amountMinor: 630, ...none }, [{ amountMinor: 600 }])).toEqual([
      { what: "carried-from", amountMinor: 30 },
    ]);
    expect(stepsToCharge({ amountMinor: 630, discountMinor: 0, creditMinor: -30 }, [])).toEqual([
      { what: "carried-from", amountMinor: 30 },
    ]);
  });

  test("isn't broken down before there are lines", () => {
    expect(stepsToCharge({ amountMinor: 600, discountMinor: 0, creditMinor: 0 }, [])).toEqual([]);
  });

  test("equals the sum of the lines above it to the minor unit, in currencies with two, no and three digits", () => {
    const minor = fc.integer({ min: -10_000_000, max: 10_000_000 });
    const some = fc.nat({ max: 10_000_000 });
    const orders = fc.record({
      currency: fc.constantFrom("EUR", "JPY", "KWD"),
      lines: fc.array(fc.record({ amountMinor: minor }), { minLength: 1, maxLength: 6 }),
      discountMinor: some,
      creditMinor: some,
      amountMinor: some,
    });
    fc.assert(
      fc.property(orders, ({ currency, lines, ...order }) => {
        const steps = stepsToCharge(order, lines);
        const sumMinor = [...lines, ...steps].reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        const sum = money(sumMinor, currency);
        expect(sum).toEqual(money(order.amountMinor, currency));
        // Formatted with the digits of the currency.
        const digits = { EUR: /^-?€[\d,]+\.\d\d$/, JPY: /^-?¥[\d,]+$/, KWD: /^-?KWD\s[\d,]+\.\d\d\d$/ }[currency];
        expect(formatMoney(sum, "en")).toMatch(digits ?? /never/);
      }),
    );
  });
});

describe("the explanation of an amount", () => {
  test.each([
    ["new-plan", { amountMinor: 600 }, [600], ["first-period"]],
    ["new-plan", { amountMinor: 100, discountMinor: 500 }, [600], ["first-period", "discount"]],
    ["new-plan", { amountMinor: 600 }, [], ["first-period"]],
    ["renewal", { amountMinor: 0, creditMinor: 600 }, [600], ["next-period", "credit-all"]],
    ["change", { amountMinor: 800 }, [-400, 1200], ["change-now"]],
    ["change", { amountMinor: 0 }, [-900, 600], ["change-now", "credited", "nothing-charged"]],
    ["change", { amountMinor: 6000 }, [6000], ["change-whole"]],
  ] as const)("for a %s with %j and lines %j is %j", (kind, amounts, lines, because) => {
    const order = { kind, discountMinor: 0, creditMinor: 0, ...amounts };
    const read = lines.map((line) => ({ amountMinor: line, periodEndsAt: 1000 }));
    expect(explain(order, read)).toEqual(because);
  });

  test("of a change to another billing period is that a new period is paid for", () => {
    const order = { kind: "change", amountMinor: 5000, discountMinor: 0, creditMinor: 0 } as const;
    const unused = { amountMinor: -1000, periodEndsAt: 1000 };
    expect(explain(order, [unused, { amountMinor: 6000, periodEndsAt: 9000 }])).toEqual(["change-period"]);
  });
});

test("a charge is paid, covered, open or never made; one that is possibly paid is neither paid nor open", () => {
  const order = { state: "paid", paidAt: 1, amountMinor: 600, isUnconfirmed: false } as const;
  expect(chargeResult(order)).toBe("paid");
  expect(chargeResult({ ...order, state: "refunded" })).toBe("paid");
  expect(chargeResult({ ...order, amountMinor: 0 })).toBe("covered");
  expect(chargeResult({ ...order, state: "failed", paidAt: null })).toBe("open");
  expect(chargeResult({ ...order, state: "expired", paidAt: null })).toBe("never");
  expect(chargeResult({ ...order, state: "expired", paidAt: null, isUnconfirmed: true })).toBe("unconfirmed");
});

test("sums of an order without an invoice are listed in the order discount, tax, credit", () => {
  const lines = [{ amountMinor: 600 }];
  const order = { amountMinor: 400, discountMinor: 100, creditMinor: 100, taxMinor: 80 };
  expect(sumRows(order, lines).map(({ what }) => what)).toEqual(["discount", "tax-total", "credit"]);
});
