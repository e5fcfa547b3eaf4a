import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import {
  sumRetained,
  nextStep,
  type Payment,
  refundHandlingDays,
  rewardAgainAt,
  rewardHoldDays,
  yearBefore,
} from "./reward.rules.ts";
import { transitions, type ReferralState, referralStates } from "./rules.ts";

const start = Date.UTC(2026, 10, 20);

function paid(amountMinor: number, day = 0, facts: Partial<Payment> = {}): Payment {
  return {
    amountMinor,
    refundedMinor: 0,
    dispute: "none",
    isWithdrawn: false,
    heldFrom: start + day * dayMs,
    ...facts,
  };
}

const judge = (...payments: Payment[]) => sumRetained(payments, 500);

describe("what a friend has paid", () => {
  test("is enough to the last minor unit, with the payment that made it so, in whatever order they arrive", () => {
    expect(judge()).toEqual({ isEnough: false, why: "refund" });
    expect(judge(paid(0))).toMatchObject({ isEnough: false });
    expect(judge(paid(499))).toMatchObject({ isEnough: false });
    expect(judge(paid(500))).toEqual({ isEnough: true, at: start, sureAt: start });
    expect(judge(paid(600, 62), paid(400, 31), paid(100))).toEqual({
      isEnough: true,
      at: start + 31 * dayMs,
      sureAt: start + 31 * dayMs,
    });
  });

  test("is what was kept of it", () => {
    expect(judge(paid(600, 0, { refundedMinor: 100 }))).toMatchObject({ isEnough: true });
    expect(judge(paid(600, 0, { refundedMinor: 101 }))).toEqual({ isEnough: false, why: "refund" });
    expect(judge(paid(600, 0, { dispute: "lost" }))).toEqual({ isEnough: false, why: "dispute" });
    expect(judge(paid(600, 0, { refundedMinor: 600 }), paid(600, 31))).toMatchObject({ at: start + 31 * dayMs });
    // A refund above its payment doesn't reduce another payment.
    expect(judge(paid(100, 0, { refundedMinor: 700 }), paid(500, 1))).toMatchObject({ isEnough: true });
  });

  test.each(["needs-response", "under-review"])("isn't sure while a dispute is %s", (dispute) => {
    expect(judge(paid(600, 0, { dispute }))).toMatchObject({ isEnough: true, sureAt: null });
    expect(judge(paid(600, 0, { dispute }), paid(500, 1))).toMatchObject({ at: start, sureAt: start + dayMs });
  });

  test("isn't sure while a withdrawal from it is declared and not answered", () => {
    expect(judge(paid(600, 0, { isWithdrawn: true }))).toMatchObject({ isEnough: true, sureAt: null });
    expect(judge(paid(600, 0, { isWithdrawn: true }), paid(500, 1))).toMatchObject({
      at: start,
      sureAt: start + dayMs,
    });
  });

  test("is sure again once a dispute is won", () => {
    expect(judge(paid(600, 0, { dispute: "won" }))).toEqual({ isEnough: true, at: start, sureAt: start });
  });
});

test("a payment has to be kept until a withdrawal on the last day would be refunded, whatever shorter the config says", () => {
  const hold = (holdDays: number, withdrawalDays: number | "off") =>
    rewardHoldDays({ referral: { ...product.referral, holdDays }, withdrawalDays });
  expect(hold(14, 14)).toBe(14 + refundHandlingDays);
  expect(hold(60, 14)).toBe(60);
  expect(hold(14, "off")).toBe(14);
  // The config's value is valid.
  expect(product.referral.holdDays).toBe(rewardHoldDays(product));
});

describe("the next step", () => {
  const due = start + 14 * dayMs;
  const enough = { isEnough: true, at: start, sureAt: start } as const;
  const step = (state: ReferralState, waitsUntil: number | null, evaluated: ReturnType<typeof judge>, now: number) =>
    nextStep({ state, waitsUntil }, evaluated, 14, now);

  test("of a payment that is kept leads to the reward, exact at the edge", () => {
    expect(step("signed-up", null, enough, start)).toEqual({ kind: "qualify" });
    expect(step("qualified", null, enough, start)).toEqual({ kind: "judge-cards", waitsUntil: due });
    expect(step("waiting", due, enough, due - 1)).toBeNull();
    expect(step("waiting", due, enough, due)).toEqual({ kind: "approve" });
    expect(step("waiting", due, { ...enough, sureAt: null }, due)).toBeNull();
    // Safe payments have a holding period of their own, whatever was paid before.
    expect(step("waiting", due, { ...enough, sureAt: start + 1 }, due)).toBeNull();
    expect(step("waiting", due, { ...enough, sureAt: start + 1 }, due + 1)).toEqual({ kind: "approve" });
    expect(step("approved", null, enough, due)).toBeNull();
  });

  test("of a payment that went back is the end, where one was counted on", () => {
    const gone = { isEnough: false, why: "dispute" } as const;
    for (const state of ["qualified", "waiting", "approved"] as const) {
      expect(step(state, due, gone, due)).toEqual({ kind: "void", why: "dispute" });
    }
    expect(step("signed-up", null, gone, due)).toBeNull();
    expect(step("void", null, enough, due)).toBeNull();
  });

  test("of a review is its end by the clock, whatever was paid", () => {
    expect(step("under-review", due, enough, due - 1)).toBeNull();
    expect(step("under-review", due, enough, due)).toEqual({ kind: "release" });
  });

  test("restarts the days from the payment that makes it enough now", () => {
    expect(step("waiting", due, { ...enough, at: start + dayMs, sureAt: start + dayMs }, due)).toEqual({
      kind: "postpone",
      waitsUntil: due + dayMs,
    });
  });

  test("leads nowhere that the table of transitions doesn't", () => {
    const leadsTo = { release: "signed-up", qualify: "qualified", approve: "approved", void: "void" } as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...referralStates),
        fc.array(
          fc.record({
            amount: fc.nat(900),
            refunded: fc.nat(900),
            dispute: fc.constantFrom("none", "lost", "under-review"),
          }),
        ),
        fc.integer({ min: 0, max: 40 }),
        (state, payments, day) => {
          const evaluated = judge(
            ...payments.map(({ amount, refunded, dispute }, index) =>
              paid(amount, index, { refundedMinor: Math.min(amount, refunded), dispute }),
            ),
          );
          const next = step(state, due, evaluated, start + day * dayMs);
          if (!next || next.kind === "postpone" || next.kind === "rest") return;
          expect(transitions[state]).toContain(next.kind === "judge-cards" ? "waiting" : leadsTo[next.kind]);
        },
      ),
    );
  });
});

test("a reward counts against those of a year for 365 days, to the millisecond, and makes room then", () => {
  const at = Date.UTC(2027, 5, 1);
  expect(rewardAgainAt(at)).toBe(at + 365 * dayMs);
  expect(yearBefore(rewardAgainAt(at))).toBe(at);
});
