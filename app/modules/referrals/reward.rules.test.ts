import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import {
  sumRetained,
  nextStep,
  type ReferredPayment,
  refundHandlingDays,
  rewardAgainAt,
  rewardHoldDays,
  yearBefore,
} from "./reward.rules.ts";
import { referralTransitions, type ReferralState, referralStates } from "./rules.ts";

const start = Date.UTC(2026, 10, 20);

function paid(amountMinor: number, day = 0, facts: Partial<ReferredPayment> = {}): ReferredPayment {
  return {
    amountMinor,
    refundedMinor: 0,
    dispute: "none",
    isWithdrawn: false,
    heldFrom: start + day * dayMs,
    ...facts,
  };
}

const retained = (...payments: ReferredPayment[]) => sumRetained(payments, 500);

describe("what a friend has paid", () => {
  test("is sufficient exactly from the threshold, with the payment that reached it, in any order of arrival", () => {
    expect(retained()).toEqual({ isEnough: false, why: "refund" });
    expect(retained(paid(0))).toMatchObject({ isEnough: false });
    expect(retained(paid(499))).toMatchObject({ isEnough: false });
    expect(retained(paid(500))).toEqual({ isEnough: true, at: start, sureAt: start });
    expect(retained(paid(600, 62), paid(400, 31), paid(100))).toEqual({
      isEnough: true,
      at: start + 31 * dayMs,
      sureAt: start + 31 * dayMs,
    });
  });

  test("counts only as far as it was kept", () => {
    expect(retained(paid(600, 0, { refundedMinor: 100 }))).toMatchObject({ isEnough: true });
    expect(retained(paid(600, 0, { refundedMinor: 101 }))).toEqual({ isEnough: false, why: "refund" });
    expect(retained(paid(600, 0, { dispute: "lost" }))).toEqual({ isEnough: false, why: "dispute" });
    expect(retained(paid(600, 0, { refundedMinor: 600 }), paid(600, 31))).toMatchObject({ at: start + 31 * dayMs });
    // A refund above its payment doesn't reduce another payment.
    expect(retained(paid(100, 0, { refundedMinor: 700 }), paid(500, 1))).toMatchObject({ isEnough: true });
  });

  test.each(["needs-response", "under-review"])("isn't final while a dispute is %s", (dispute) => {
    expect(retained(paid(600, 0, { dispute }))).toMatchObject({ isEnough: true, sureAt: null });
    expect(retained(paid(600, 0, { dispute }), paid(500, 1))).toMatchObject({ at: start, sureAt: start + dayMs });
  });

  test("isn't final while a declared withdrawal is unanswered", () => {
    expect(retained(paid(600, 0, { isWithdrawn: true }))).toMatchObject({ isEnough: true, sureAt: null });
    expect(retained(paid(600, 0, { isWithdrawn: true }), paid(500, 1))).toMatchObject({
      at: start,
      sureAt: start + dayMs,
    });
  });

  test("is final again once a dispute is won", () => {
    expect(retained(paid(600, 0, { dispute: "won" }))).toEqual({ isEnough: true, at: start, sureAt: start });
  });
});

test("a payment must be kept until a withdrawal on the last day would be refunded, even if the config says a shorter time", () => {
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
  const step = (state: ReferralState, waitsUntil: number | null, evaluated: ReturnType<typeof retained>, now: number) =>
    nextStep({ state, waitsUntil }, evaluated, 14, now);

  test("after a payment that was kept is the reward, exact to the millisecond", () => {
    expect(step("signed-up", null, enough, start)).toEqual({ kind: "qualify" });
    expect(step("qualified", null, enough, start)).toEqual({ kind: "check-cards", waitsUntil: due });
    expect(step("waiting", due, enough, due - 1)).toBeNull();
    expect(step("waiting", due, enough, due)).toEqual({ kind: "approve" });
    expect(step("waiting", due, { ...enough, sureAt: null }, due)).toBeNull();
    // Safe payments have their own holding period, independent of earlier payments.
    expect(step("waiting", due, { ...enough, sureAt: start + 1 }, due)).toBeNull();
    expect(step("waiting", due, { ...enough, sureAt: start + 1 }, due + 1)).toEqual({ kind: "approve" });
    expect(step("approved", null, enough, due)).toBeNull();
  });

  test("after a refunded payment is the end, if a reward was expected from it", () => {
    const gone = { isEnough: false, why: "dispute" } as const;
    for (const state of ["qualified", "waiting", "approved"] as const) {
      expect(step(state, due, gone, due)).toEqual({ kind: "void", why: "dispute" });
    }
    expect(step("signed-up", null, gone, due)).toBeNull();
    expect(step("void", null, enough, due)).toBeNull();
  });

  test("during a review is its end by the clock, whatever was paid", () => {
    expect(step("under-review", due, enough, due - 1)).toBeNull();
    expect(step("under-review", due, enough, due)).toEqual({ kind: "release" });
  });

  test("restarts the days from the payment that now reaches the threshold", () => {
    expect(step("waiting", due, { ...enough, at: start + dayMs, sureAt: start + dayMs }, due)).toEqual({
      kind: "postpone",
      waitsUntil: due + dayMs,
    });
  });

  test("never contradicts the table of transitions", () => {
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
          const evaluated = retained(
            ...payments.map(({ amount, refunded, dispute }, index) =>
              paid(amount, index, { refundedMinor: Math.min(amount, refunded), dispute }),
            ),
          );
          const next = step(state, due, evaluated, start + day * dayMs);
          if (!next || next.kind === "postpone" || next.kind === "rest") return;
          expect(referralTransitions[state]).toContain(next.kind === "check-cards" ? "waiting" : leadsTo[next.kind]);
        },
      ),
    );
  });
});

test("a reward counts towards the yearly maximum for 365 days, exact to the millisecond", () => {
  const at = Date.UTC(2027, 5, 1);
  expect(rewardAgainAt(at)).toBe(at + 365 * dayMs);
  expect(yearBefore(rewardAgainAt(at))).toBe(at);
});
