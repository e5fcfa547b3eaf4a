import { describe, expect, test } from "vitest";
import { type ChargeFacts, isMoneyGone, judgeMoneyBack } from "./money-back.rules.ts";

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
});

describe("money that goes back", () => {
  test.each([
    [0, "paid"],
    [1, "partially-refunded"],
    [599, "partially-refunded"],
    [600, "refunded"],
  ])("%i of 600 leaves the order %s", (refundedMinor, state) => {
    expect(judgeMoneyBack(600, [charge({ refundedMinor })])).toEqual({ state, refundedMinor, dispute: "none" });
  });

  test("counts all charges of an order together", () => {
    expect(judgeMoneyBack(600, [charge({ refundedMinor: 200 }), charge({ refundedMinor: 400 })]).state).toBe(
      "refunded",
    );
  });

  test("leaves an order of nothing paid: there is nothing to give back", () => {
    expect(judgeMoneyBack(0, [])).toEqual({ state: "paid", refundedMinor: 0, dispute: "none" });
    expect(isMoneyGone(0, [])).toBe(false);
  });

  test("the newest dispute speaks for the order", () => {
    const facts = [charge({ disputes: [dispute("won", 1), dispute("needs-response", 2)] })];
    expect(judgeMoneyBack(600, facts).dispute).toBe("needs-response");
  });

  test("all of it is gone by a full refund or a lost dispute, and by nothing less", () => {
    const gone = (facts: Partial<ChargeFacts>) => isMoneyGone(600, [charge(facts)]);
    expect(gone({ refundedMinor: 600 })).toBe(true);
    expect(gone({ refundedMinor: 599 })).toBe(false);
    expect(gone({ disputes: [dispute("lost")] })).toBe(true);
    expect(gone({ disputes: [dispute("under-review")] })).toBe(false);
    expect(gone({ disputes: [dispute("won")] })).toBe(false);
    // Part of it, and the newest of two says nothing of the one that was lost before.
    expect(gone({ disputes: [dispute("lost", 1, 200)] })).toBe(false);
    expect(gone({ refundedMinor: 400, disputes: [dispute("lost", 1, 200), dispute("won", 2, 200)] })).toBe(true);
  });
});
