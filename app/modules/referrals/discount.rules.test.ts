import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  announcedVoidReasons,
  type Discount,
  expectedDiscount,
  type FirstPaymentFacts,
  nextDiscountStep,
  quoteDiscount,
} from "./discount.rules.ts";
import { type ReferralState, referralStates, voidReasons } from "./rules.ts";

const promised = 500;
const signedUpAt = Date.UTC(2026, 10, 20, 12);
/** A year after the sign-up: a plan chosen before it still gets the discount. */
const yearIsOver = Date.UTC(2027, 10, 20, 12);

function paid(change: Partial<FirstPaymentFacts> = {}): FirstPaymentFacts {
  return {
    orderId: "ord_first",
    invoiceId: "in_first",
    amountMinor: 600,
    refundedMinor: 0,
    friendDiscountMinor: 0,
    dispute: "none",
    isWithdrawn: false,
    createdAt: signedUpAt,
    ...change,
  };
}

type Case = { state?: ReferralState; voidWhy?: string; discount?: Discount; first?: FirstPaymentFacts | null };

function step({ state = "qualified", voidWhy, discount, first = paid() }: Case) {
  const referral = { state, signedUpAt, voidWhy: voidWhy ?? null };
  return nextDiscountStep({ referral, discount: discount ?? null, first }, promised);
}

const opened = (amountMinor: number) => ({ kind: "open-discount", amountMinor });

describe("a discount is opened", () => {
  test.each<[what: string, change: Partial<FirstPaymentFacts>, amountMinor: number]>([
    ["more than the discount", { amountMinor: 501 }, 500],
    ["just as much", { amountMinor: 500 }, 500],
    ["less by one", { amountMinor: 499 }, 499],
    ["nothing, since credit paid all of it", { amountMinor: 0 }, 0],
    ["enough, even after a refund", { refundedMinor: 100 }, 500],
    ["less by one after a refund", { refundedMinor: 101 }, 499],
    ["nothing after a full refund", { refundedMinor: 600 }, 0],
    ["nothing after a lost dispute", { dispute: "lost" }, 0],
    [
      "enough, with the discount refunded already and not stored",
      { refundedMinor: 500, friendDiscountMinor: 500 },
      500,
    ],
    ["less by one, with another refund beside the discount", { refundedMinor: 601, friendDiscountMinor: 500 }, 499],
  ])("for at most what is left of the first payment: %s", (_what, change, amountMinor) => {
    expect(step({ first: paid(change) })).toEqual(opened(amountMinor));
  });

  test.each<[what: string, createdAt: number, amountMinor: number]>([
    ["just before the sign-up", signedUpAt - 1, 0],
    ["at the sign-up", signedUpAt, 500],
    ["at the last moment of the twelve months", yearIsOver - 1, 500],
    ["after twelve months", yearIsOver, 0],
  ])(
    "for nothing unless the plan was chosen after the sign-up and within a year: %s",
    (_what, createdAt, amountMinor) => {
      expect(step({ first: paid({ createdAt }) })).toEqual(opened(amountMinor));
    },
  );

  test.each<[ReferralState, object | null]>([
    ["signed-up", opened(500)],
    ["qualified", opened(500)],
    ["under-review", null],
    ["waiting", null],
    ["approved", null],
    ["void", null],
  ])("while the referral is %s: %j", (state, expected) => {
    expect(step({ state })).toEqual(expected);
  });

  test("not before the first payment, whatever the referral", () => {
    for (const state of referralStates) expect([state, step({ state, first: null })]).toEqual([state, null]);
  });
});

describe("a refused sign-up", () => {
  const refused = (voidWhy: string, first = paid()) => step({ state: "void", voidWhy, first });

  test.each<[voidWhy: string, why: string | null]>([
    ["self", "known-mailbox"],
    ["circle", "known-mailbox"],
    ["returned", "known-mailbox"],
    ["review", "operator"],
    ["same-card", null],
    ["refund", null],
    ["dispute", null],
    ["cap", null],
    ["account-erased", null],
    ["a reason from another release", null],
  ])("that is void because of %s refuses the promised discount because of %s", (voidWhy, why) => {
    expect(refused(voidWhy)).toEqual(why && { kind: "refuse-discount", amountMinor: 500, why });
  });

  test("refuses the amount that would have been given, and isn't mentioned if that is zero", () => {
    expect(refused("review", paid({ amountMinor: 1 }))).toMatchObject({ amountMinor: 1 });
    expect(refused("review", paid({ refundedMinor: 600 }))).toBeNull();
    expect(refused("review", paid({ createdAt: yearIsOver }))).toBeNull();
  });

  test("counts only once it is void: a reason left from an earlier state refuses nothing", () => {
    expect(step({ state: "qualified", voidWhy: "review" })).toEqual(opened(500));
  });

  test("is announced to the paying friend only for the reasons that refuse the discount", () => {
    const refusing = voidReasons.filter((why) => refused(why) !== null);
    expect(announcedVoidReasons.toSorted()).toEqual(refusing.toSorted());
  });
});

describe("an opened discount", () => {
  const due: Discount = { state: "due", amountMinor: 500 };
  const reviewed: Discount = { state: "under-review", amountMinor: 500 };
  const pay = { kind: "pay-discount" };
  const end = { kind: "end-discount", why: "money-back" };

  test.each<[what: string, change: Partial<FirstPaymentFacts>, next: object | null]>([
    ["nothing went back", {}, pay],
    ["as much is left", { refundedMinor: 100 }, pay],
    ["less is left by one", { refundedMinor: 101 }, end],
    ["it went back itself, which wasn't stored", { refundedMinor: 500, friendDiscountMinor: 500 }, pay],
    ["all of the payment went back", { refundedMinor: 600 }, end],
    ["the bank wants an answer", { dispute: "needs-response" }, null],
    ["the bank decides", { dispute: "under-review" }, null],
    ["the bank decided for the seller", { dispute: "won" }, pay],
    ["the bank decided for its customer", { dispute: "lost" }, end],
    ["a withdrawal isn't answered", { isWithdrawn: true }, null],
    ["a withdrawal isn't answered, and a dispute was won", { isWithdrawn: true, dispute: "won" }, null],
    ["a withdrawal was answered in part", { isWithdrawn: true, refundedMinor: 101 }, end],
  ])("is due: %s", (_what, change, next) => {
    expect(step({ discount: due, first: paid(change) })).toEqual(next);
  });

  test("isn't paid while the sign-up is under review, and is in any other state of the reward", () => {
    for (const state of referralStates) {
      expect([state, step({ state, discount: due })]).toEqual([state, state === "under-review" ? null : pay]);
    }
  });

  test("isn't paid while it is under review itself, and ends there when its payment is refunded", () => {
    expect(step({ discount: reviewed })).toBeNull();
    expect(step({ discount: reviewed, first: paid({ refundedMinor: 100 }) })).toBeNull();
    expect(step({ discount: reviewed, first: paid({ refundedMinor: 101 }) })).toEqual(end);
  });

  test.each(["paid", "refused"] as const)("that is %s stays so, whatever happens to the payment", (state) => {
    for (const first of [paid(), paid({ refundedMinor: 600 }), paid({ dispute: "lost" })]) {
      expect(step({ discount: { state, amountMinor: 500 }, first })).toBeNull();
    }
  });
});

test("the amount given never exceeds what is left of the payment, nor what was promised", () => {
  const payment = fc
    .record({
      amountMinor: fc.nat(2000),
      refunded: fc.nat(2000),
      given: fc.nat(2000),
      dispute: fc.constantFrom("none", "needs-response", "won", "lost"),
      isWithdrawn: fc.boolean(),
    })
    .map(({ amountMinor, refunded, given, ...rest }) => {
      const refundedMinor = Math.min(amountMinor, refunded);
      return paid({ ...rest, amountMinor, refundedMinor, friendDiscountMinor: Math.min(refundedMinor, given) });
    });
  fc.assert(
    fc.property(payment, fc.constantFrom(...referralStates), fc.nat(2000), (first, state, promisedMinor) => {
      const referral = { state, signedUpAt, voidWhy: "review" };
      const others = first.dispute === "lost" ? first.amountMinor : first.refundedMinor - first.friendDiscountMinor;
      const open = nextDiscountStep({ referral, discount: null, first }, promisedMinor);
      if (open?.kind === "open-discount" || open?.kind === "refuse-discount") {
        expect(open.amountMinor).toBe(Math.min(promisedMinor, first.amountMinor - others));
      }
      const discount = { state: "due", amountMinor: promisedMinor } as const;
      const next = nextDiscountStep({ referral, discount, first }, promisedMinor);
      if (next?.kind === "pay-discount") expect(promisedMinor + others).toBeLessThanOrEqual(first.amountMinor);
      else expect(next === null || next.kind === "end-discount").toBe(true);
    }),
  );
});

describe("a discount that isn't opened yet", () => {
  const expected = (state: ReferralState, voidWhy: string | null = null, first: FirstPaymentFacts | null = paid()) =>
    expectedDiscount({ referral: { state, signedUpAt, voidWhy }, first }, promised);

  test("is announced with the amount that it will be opened with", () => {
    expect(expected("signed-up")).toEqual({ amountMinor: 500, isUnderReview: false, refusal: null });
    expect(expected("qualified", null, paid({ amountMinor: 499 }))).toMatchObject({ amountMinor: 499 });
  });

  test("is announced during a review, too, and shown as under review", () => {
    expect(expected("under-review")).toEqual({ amountMinor: 500, isUnderReview: true, refusal: null });
    expect(expected("under-review", null, paid({ createdAt: yearIsOver }))).toMatchObject({ amountMinor: 0 });
  });

  test("is shown as refused, with the amount, if the sign-up was refused", () => {
    expect(expected("void", "returned")).toEqual({ amountMinor: 500, isUnderReview: false, refusal: "known-mailbox" });
    expect(expected("void", "review")).toEqual({ amountMinor: 500, isUnderReview: false, refusal: "operator" });
  });

  test.each<[what: string, Parameters<typeof expected>]>([
    ["without a payment", ["signed-up", null, null]],
    ["of a referral that is void for another reason", ["void", "cap"]],
    ["of a refused sign-up whose payment went back", ["void", "review", paid({ refundedMinor: 600 })]],
    ["of a reward that waits already", ["waiting"]],
  ])("isn't announced %s", (_what, facts) => {
    expect(expected(...facts)).toEqual({ amountMinor: 0, isUnderReview: false, refusal: null });
  });
});

describe("before the first payment", () => {
  const quote = (state: ReferralState, chargedMinor: number, now = signedUpAt) =>
    quoteDiscount({ state, signedUpAt }, chargedMinor, promised, now);

  test("the discount quoted is at most the charge", () => {
    expect([0, 499, 500, 501].map((charged) => quote("signed-up", charged))).toEqual([0, 499, 500, 500]);
  });

  test("a discount is quoted within a year of the sign-up, exact to the millisecond", () => {
    const moments = [signedUpAt - 1, signedUpAt, yearIsOver - 1, yearIsOver];
    expect(moments.map((now) => quote("signed-up", 600, now))).toEqual([0, 500, 500, 0]);
  });

  test("no discount is quoted for a void referral, and the full one during a review", () => {
    expect([quote("void", 600), quote("under-review", 600)]).toEqual([0, 500]);
  });
});
