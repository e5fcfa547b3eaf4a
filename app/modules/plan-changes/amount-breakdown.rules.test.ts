import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMoney, money } from "#app/core/money/money.ts";
import { explain, stepsToCharge } from "./amount-breakdown.rules.ts";

describe("what was charged", () => {
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

  test("of a change that cost less than nothing is nothing, and what is left over is said", () => {
    const lines = [{ amountMinor: -1500 }, { amountMinor: 600 }];
    expect(stepsToCharge({ amountMinor: 0, discountMinor: 0, creditMinor: 0 }, lines)).toEqual([
      { what: "credited", amountMinor: 900 },
    ]);
    expect(stepsToCharge({ amountMinor: 0, discountMinor: 0, creditMinor: -900 }, lines)).toEqual([
      { what: "credited", amountMinor: 900 },
    ]);
  });

  test("has what was too little to be collected alone, before it or now, as a step of its own", () => {
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

  test("isn't taken apart before there are lines", () => {
    expect(stepsToCharge({ amountMinor: 600, discountMinor: 0, creditMinor: 0 }, [])).toEqual([]);
  });

  test("is always the sum of the lines above it, to the minor unit, in currencies with two, no and three digits", () => {
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

describe("why it is so much", () => {
  test.each([
    ["new-plan", { amountMinor: 600 }, [600], ["first-period"]],
    ["new-plan", { amountMinor: 100, discountMinor: 500 }, [600], ["first-period", "discount"]],
    ["new-plan", { amountMinor: 600 }, [], ["first-period"]],
    ["renewal", { amountMinor: 0, creditMinor: 600 }, [600], ["next-period", "credit-all"]],
    ["change", { amountMinor: 800 }, [-400, 1200], ["change-now"]],
    ["change", { amountMinor: 0 }, [-900, 600], ["change-now", "credited", "nothing-charged"]],
    ["change", { amountMinor: 6000 }, [6000], ["change-whole"]],
  ] as const)("of a %s with %j and lines %j is %j", (kind, amounts, lines, because) => {
    const order = { kind, discountMinor: 0, creditMinor: 0, ...amounts };
    const read = lines.map((line) => ({ amountMinor: line }));
    expect(explain(order, read)).toEqual(because);
  });
});
