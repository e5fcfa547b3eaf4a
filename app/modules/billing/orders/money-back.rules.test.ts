import { describe, expect, test } from "vitest";
import { type ChargeFacts, creditReturnedOf, decideMoneyBack, isFullyReturned } from "./money-back.rules.ts";

const charge = (facts: Partial<ChargeFacts>): ChargeFacts => ({
  refundedMinor: 0,
  refunds: [],
  disputes: [],
  ...facts,
});
const dispute = (state: ChargeFacts["disputes"][number]["state"], createdAt = 1, amountMinor = 600) => ({
  id: `dp_${createdAt}`,
  amountMinor,
  state,
  createdAt,
  dueAt: createdAt + 7,
});

describe("refunded or disputed money", () => {
  test.each([
    [0, "paid"],
    [1, "partially-refunded"],
    [599, "partially-refunded"],
    [600, "refunded"],
  ])("of %i out of 600 leaves the order %s", (refundedMinor, state) => {
    expect(decideMoneyBack(600, [charge({ refundedMinor })])).toEqual({
      state,
      refundedMinor,
      friendDiscountMinor: 0,
      dispute: "none",
      disputeDueAt: null,
    });
  });

  test("is added up over all charges of an order", () => {
    expect(decideMoneyBack(600, [charge({ refundedMinor: 200 }), charge({ refundedMinor: 400 })]).state).toBe(
      "refunded",
    );
  });

  test("doesn't change an order without a payment, which has nothing to refund", () => {
    expect(decideMoneyBack(0, [])).toMatchObject({ state: "paid", refundedMinor: 0, dispute: "none" });
    expect(isFullyReturned(0, [])).toBe(false);
  });

  test("given as a friend's discount leaves the order paid, even if it equals the price; more than that counts", () => {
    const refund = (amountMinor: number, isFriendDiscount: boolean, state: "succeeded" | "failed" = "succeeded") => {
      return {
        id: `re_${amountMinor}`,
        amountMinor,
        state,
        isFriendDiscount,
        isOfMismatch: false,
        restOf: null,
        createdAt: 1,
      };
    };
    const settle = (...refunds: ReturnType<typeof refund>[]) => {
      const made = refunds.filter(({ state }) => state !== "failed");
      const facts = [charge({ refundedMinor: made.reduce((sum, { amountMinor }) => sum + amountMinor, 0), refunds })];
      const { state, friendDiscountMinor } = decideMoneyBack(600, facts);
      return [state, friendDiscountMinor, isFullyReturned(600, facts)];
    };
    expect(settle(refund(500, true))).toEqual(["paid", 500, false]);
    expect(settle(refund(600, true))).toEqual(["paid", 600, false]);
    expect(settle(refund(500, true), refund(50, false))).toEqual(["partially-refunded", 500, false]);
    expect(settle(refund(500, true), refund(100, false))).toEqual(["refunded", 500, true]);
    expect(settle(refund(500, true, "failed"))).toEqual(["paid", 0, false]);
  });

  test("has the state of the newest dispute", () => {
    const facts = [charge({ disputes: [dispute("won", 1), dispute("needs-response", 2)] })];
    expect(decideMoneyBack(600, facts)).toMatchObject({ dispute: "needs-response", disputeDueAt: 9 });
  });

  test.each(["under-review", "won", "lost"] as const)("has no due date any more if its dispute is %s", (state) => {
    expect(decideMoneyBack(600, [charge({ disputes: [dispute(state)] })])).toMatchObject({
      dispute: state,
      disputeDueAt: null,
    });
  });

  test("is the whole amount only after a full refund or a lost dispute", () => {
    const gone = (facts: Partial<ChargeFacts>) => isFullyReturned(600, [charge(facts)]);
    expect(gone({ refundedMinor: 600 })).toBe(true);
    expect(gone({ refundedMinor: 599 })).toBe(false);
    expect(gone({ disputes: [dispute("lost")] })).toBe(true);
    expect(gone({ disputes: [dispute("under-review")] })).toBe(false);
    expect(gone({ disputes: [dispute("won")] })).toBe(false);
    // A lost dispute of a part, and the newest of two, says nothing about one lost before.
    expect(gone({ disputes: [dispute("lost", 1, 200)] })).toBe(false);
    expect(gone({ refundedMinor: 400, disputes: [dispute("lost", 1, 200), dispute("won", 2, 200)] })).toBe(true);
  });
});

describe("the credit that paid an order", () => {
  const paid = { creditMinor: 300, creditReturnedMinor: 0 };
  const refund = (restOf: string | null, state: "succeeded" | "failed" = "succeeded") => {
    return { id: "re_1", amountMinor: 600, state, isFriendDiscount: false, isOfMismatch: false, restOf, createdAt: 1 };
  };

  test.each([
    ["all of it with a full refund", paid, [refund(null)], "refunded", 100, 300],
    ["what the contract says, if the site only sent the rest", paid, [refund("sub_1")], "refunded", 100, 100],
    [
      "what the contract says, if the site sent the rest and a friend discount",
      paid,
      [refund("sub_1"), { ...refund(null), isFriendDiscount: true }],
      "refunded",
      100,
      100,
    ],
    ["all of it, if nothing was paid in money", paid, [], "refunded", 0, 300],
    ["what the contract says, if the order isn't refunded", paid, [], "paid", 100, 100],
    ["none", paid, [], "paid", 0, 0],
    [
      "no less than before, once the bank returns the refund",
      { ...paid, creditReturnedMinor: 300 },
      [refund(null, "failed")],
      "paid",
      0,
      300,
    ],
    ["none of what was left over as credit", { ...paid, creditMinor: -300 }, [refund(null)], "refunded", 0, 0],
  ] as const)("gives back %s", (_, order, refunds, state, owedMinor, returnedMinor) => {
    expect(creditReturnedOf(order, [charge({ refunds: [...refunds] })], { state, owedMinor })).toBe(returnedMinor);
  });
});
