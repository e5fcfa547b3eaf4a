import { sampleLine } from "#tests/support/billing/sample-line.ts";
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import type { LedgerLineId, ReferralId } from "#app/core/id.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { balanceOf, creditMonths, earnedLineId, expiryOf, type Line } from "./rules.ts";
import { emptyLots, lotsOf, nextExpiry, ownLotsOf } from "./lots.rules.ts";
import { owedOf, deductionsDue } from "./deductions.rules.ts";

const start = Date.UTC(2026, 10, 20);
const year = expiryOf(start) - start;

const aLine = (facts: Partial<Line>): Line => sampleLine({ id: "line_x", happenedAt: start, ...facts });

function aReward(referralId: ReferralId, expiresAt: number, facts: Partial<Line> = {}): Line {
  return aLine({ id: earnedLineId(referralId), referralId, expiresAt, ...facts });
}

const used = (amountMinor: number) =>
  aLine({ id: `line_used-${amountMinor}`, kind: "applied", why: "order", amountMinor });

test("a reward is valid for twelve calendar months", () => {
  expect(creditMonths).toBe(12);
  expect(new Date(expiryOf(Date.UTC(2028, 1, 29))).toISOString()).toBe("2029-03-01T00:00:00.000Z");
});

describe("a deduction", () => {
  test("uses the credit that expires first, and last the credit that never expires", () => {
    const lines = [
      aLine({ id: "line_gift", why: "given" }),
      aReward("ref_b", start + 2),
      aReward("ref_a", start + 1),
      used(-700),
    ];
    expect(lotsOf(lines).map(({ line, leftMinor }) => [line.id, leftMinor])).toEqual([
      ["line_gift", 500],
      [earnedLineId("ref_b"), 300],
      [earnedLineId("ref_a"), 0],
    ]);
  });

  test("for a reward uses that reward, even if other credit expires earlier", () => {
    const takers = [
      [aLine({ id: "line_ref_b.reversed", kind: "reversed", why: "refund", referralId: "ref_b", amountMinor: -500 })],
      [aLine({ id: `${earnedLineId("ref_b")}.expired`, kind: "expired", why: "term", amountMinor: -500 })],
      [1, 2].map((nth) =>
        aLine({ id: `${earnedLineId("ref_b")}.made-up.${nth}`, kind: "reversed", why: "made-up", amountMinor: -250 }),
      ),
    ];
    for (const taker of takers) {
      const lines = [aReward("ref_a", start + 1), aReward("ref_b", start + 2), ...taker];
      expect(ownLotsOf(lines).get(taker.at(-1)?.id ?? "line_")).toBe(earnedLineId("ref_b"));
      expect(lotsOf(lines).map(({ leftMinor }) => leftMinor)).toEqual([500, 0]);
    }
    expect(ownLotsOf([aReward("ref_b", start), aLine({ id: "line_cbtxn_1" })]).get("line_cbtxn_1")).toBeUndefined();
  });

  test("doesn't touch a reward that is granted later", () => {
    const lines = [
      aLine({ id: "line_gift", why: "given", amountMinor: 1000 }),
      used(-600),
      aReward("ref_a", start + 1),
    ];
    expect(deductionsDue(lines, start + 1)).toMatchObject([{ id: `${earnedLineId("ref_a")}.expired`, takeMinor: 500 }]);
  });
});

describe("expiring credit", () => {
  test("expires exactly after its months, with what is left of it, once", () => {
    const lines = [aReward("ref_a", start + year), aReward("ref_b", start + year + 1), used(-200)];
    expect(deductionsDue(lines, start + year - 1)).toEqual([]);
    const [deduction, ...others] = deductionsDue(lines, start + year);
    expect(others).toEqual([]);
    expect(deduction).toMatchObject({
      id: `${earnedLineId("ref_a")}.expired`,
      kind: "expired",
      why: "term",
      takeMinor: 300,
    });
    const after = [...lines, aLine({ id: deduction?.id ?? "line_", kind: "expired", why: "term", amountMinor: -300 })];
    expect(deductionsDue(after, start + year)).toEqual([]);
    expect(nextExpiry(after)).toEqual({ at: start + year + 1, amountMinor: 500 });
  });

  test("leaves nothing to deduct if it was used up before, and isn't considered again", () => {
    const lines = [aReward("ref_a", start + 1), used(-500)];
    expect(deductionsDue(lines, start + 1)).toEqual([]);
    expect(emptyLots(lines, start)).toEqual([]);
    expect(emptyLots(lines, start + 1)).toEqual([earnedLineId("ref_a")]);
  });

  test("is announced by day and amount; credit that never expires isn't", () => {
    expect(nextExpiry([aLine({ why: "given" })])).toBeNull();
    const lines = [aReward("ref_a", start + 1), aReward("ref_b", start + 1), aReward("ref_c", start + 2)];
    expect(nextExpiry(lines)).toEqual({ at: start + 1, amountMinor: 1000 });
  });
});

describe("a reversed reward", () => {
  test("is deducted as far as it is unused; the rest is owed and taken from the next reward", () => {
    const lines = [aReward("ref_a", start + 1, { askedBack: "refund" }), used(-200)];
    const [deduction] = deductionsDue(lines, start);
    expect(deduction).toMatchObject({ id: "line_ref_a.reversed", why: "refund", takeMinor: 300, wantedMinor: 500 });
    const taken = aLine({
      id: "line_ref_a.reversed",
      kind: "reversed",
      why: "refund",
      referralId: "ref_a",
      amountMinor: -300,
    });
    const after = [...lines, { ...taken, owedMinor: 200 }];
    expect(owedOf(after)).toBe(200);
    expect(deductionsDue(after, start)).toEqual([]);
    const next = [...after, aReward("ref_b", start + 2)];
    const id: LedgerLineId = `${earnedLineId("ref_b")}.made-up.1`;
    expect(deductionsDue(next, start)).toEqual([
      { id, kind: "reversed", why: "made-up", referralId: null, takeMinor: 200, wantedMinor: 200 },
    ]);
    const made = [...next, aLine({ id, kind: "reversed", why: "made-up", amountMinor: -200 })];
    expect([owedOf(made), balanceOf(made), deductionsDue(made, start)]).toEqual([0, 300, []]);
  });

  test("that was used up is deducted immediately from what other rewards left", () => {
    const lines = [aReward("ref_a", start, { askedBack: "refund" }), used(-500), aReward("ref_b", start + 2)];
    expect(deductionsDue(lines, start)).toMatchObject([
      { id: "line_ref_a.reversed", takeMinor: 0, wantedMinor: 500 },
      { id: `${earnedLineId("ref_b")}.made-up.1`, why: "made-up", takeMinor: 500, wantedMinor: 500 },
    ]);
  });

  test("is deducted from credit of any origin, up to what there is", () => {
    const lines = [
      aLine({ id: "line_gift", why: "given", amountMinor: 100 }),
      aReward("ref_a", start + 1, { askedBack: "dispute" }),
      used(-600),
      aLine({ id: "line_ref_a.reversed", kind: "reversed", why: "dispute", amountMinor: 0, owedMinor: 500 }),
      aLine({ id: "line_more", why: "left-over", amountMinor: 300 }),
      aLine({ id: "line_new", why: "given", amountMinor: 900 }),
    ].map((line) => (line.askedBack ? { ...line, closedAt: start } : line));
    expect(deductionsDue(lines, start)).toMatchObject([
      { id: "line_more.made-up.1", takeMinor: 300 },
      { id: "line_new.made-up.1", takeMinor: 200 },
    ]);
  });

  test("doesn't expire in addition", () => {
    const [deduction, ...others] = deductionsDue([aReward("ref_a", start, { askedBack: "refund" })], start);
    expect([deduction?.kind, others]).toEqual(["reversed", []]);
  });
});

describe("credit that an order returns", () => {
  const use = (invoiceId: InvoiceId, amountMinor: number) =>
    aLine({ id: `line_used-${invoiceId}`, kind: "applied", why: "order", amountMinor, invoiceId });
  const back = (invoiceId: InvoiceId, amountMinor: number, why: "order-refunded" | "order-void" = "order-refunded") =>
    aLine({ id: `line_back-${invoiceId}`, kind: "reversed", why, amountMinor, invoiceId });

  test.each(["order-refunded", "order-void"] as const)("by %s keeps its origin and its expiry", (why) => {
    const gift = aLine({ id: "line_gift", why: "given", amountMinor: 200 });
    const lines = [aReward("ref_a", start + 2), gift, use("in_1", -600), back("in_1", 600, why)];
    expect(lotsOf(lines).map(({ line, leftMinor }) => [line.id, leftMinor])).toEqual([
      [earnedLineId("ref_a"), 500],
      ["line_gift", 200],
    ]);
    expect(nextExpiry(lines)).toEqual({ at: start + 2, amountMinor: 500 });
  });

  test("goes back to the lots of that order only, up to what the order took from them", () => {
    const lines = [aReward("ref_a", start + 1), aReward("ref_b", start + 2), use("in_1", -500), use("in_2", -500)];
    const left = (line: Line) => lotsOf([...lines, line]).map(({ line: lot, leftMinor }) => [lot.id, leftMinor]);
    expect(left(back("in_2", 500))).toEqual([
      [earnedLineId("ref_a"), 0],
      [earnedLineId("ref_b"), 500],
    ]);
    expect(left(back("in_1", 700)).at(-1)).toEqual(["line_back-in_1", 200]);
  });

  test("in part goes back to the credit that was used last, which is the last to expire", () => {
    const lines = [aReward("ref_a", start + 1), aReward("ref_b", start + 2), use("in_1", -800), back("in_1", 200)];
    expect(lotsOf(lines).map(({ line, leftMinor }) => [line.id, leftMinor])).toEqual([
      [earnedLineId("ref_a"), 0],
      [earnedLineId("ref_b"), 400],
    ]);
  });

  test("after its months have passed expires immediately, each time under a distinct name", () => {
    const spent = [aReward("ref_a", start + 1, { closedAt: start + 1 }), use("in_1", -500)];
    const returned = [...spent, back("in_1", 500)];
    const [deduction, ...others] = deductionsDue(returned, start + 1);
    expect(others).toEqual([]);
    expect(deduction).toMatchObject({ id: `${earnedLineId("ref_a")}.expired`, takeMinor: 500 });
    const expired = aLine({ id: `${earnedLineId("ref_a")}.expired`, kind: "expired", why: "term", amountMinor: -200 });
    const again = [aReward("ref_a", start + 1), use("in_1", -300), expired, back("in_1", 300)];
    expect(deductionsDue(again, start + 1)).toMatchObject([
      { id: `${earnedLineId("ref_a")}.expired.2`, takeMinor: 300 },
    ]);
    const twice = [
      ...again,
      aLine({ id: `${earnedLineId("ref_a")}.expired.2`, kind: "expired", why: "term", amountMinor: -300 }),
    ];
    expect(ownLotsOf(twice).get(`${earnedLineId("ref_a")}.expired.2`)).toBe(earnedLineId("ref_a"));
  });

  test("to a reward that was reversed meanwhile is deducted for what is owed", () => {
    const reversed = aLine({
      id: "line_ref_a.reversed",
      kind: "reversed",
      why: "refund",
      referralId: "ref_a",
      amountMinor: 0,
    });
    const lines = [
      aReward("ref_a", start + 9, { askedBack: "refund", closedAt: start }),
      use("in_1", -500),
      { ...reversed, owedMinor: 500 },
      back("in_1", 500),
    ];
    expect(deductionsDue(lines, start)).toMatchObject([{ id: `${earnedLineId("ref_a")}.made-up.1`, takeMinor: 500 }]);
  });
});

test("the lots add up to the balance, for any changes in any order", () => {
  const transaction = fc.record({
    amountMinor: fc.integer({ min: -800, max: 800 }),
    expires: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 30 }), (inputs) => {
      const lines: Line[] = [];
      for (const [index, { amountMinor, expires }] of inputs.entries()) {
        const amount = Math.max(amountMinor, -balanceOf(lines));
        if (amount === 0) continue;
        const expiresAt = expires === 0 ? null : start + expires;
        lines.push(aLine({ id: `line_${index}`, amountMinor: amount, why: "given", expiresAt }));
      }
      const lots = lotsOf(lines);
      expect(lots.reduce((sum, { leftMinor }) => sum + leftMinor, 0)).toBe(balanceOf(lines));
      expect(lots.every(({ line, leftMinor }) => leftMinor >= 0 && leftMinor <= line.amountMinor)).toBe(true);
    }),
  );
});
