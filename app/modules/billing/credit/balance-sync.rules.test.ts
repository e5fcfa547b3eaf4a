import { sampleLine } from "#tests/support/billing/sample-line.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerLineId } from "#app/core/id.ts";
import type { BalanceTransaction } from "#app/core/stripe/balance-transaction.ts";
import {
  type BalanceCall,
  balanceAfter,
  planBalanceSync,
  planDeductions,
  withBalanceSync,
} from "./balance-sync.rules.ts";
import type { Deduction } from "./deductions.rules.ts";
import { balanceOf, type Line } from "./rules.ts";

const now = Date.UTC(2026, 10, 20, 12);
const customerId = "cus_mara";

const aLine = (facts: Partial<Line> = {}): Line => sampleLine({ id: "line_reward", happenedAt: now, ...facts });

type Change = Partial<BalanceTransaction> & { amountMinor: number; afterMinor: number };

function aTransaction(facts: Change): BalanceTransaction {
  const none = { lineId: null, returnsLineId: null, deduction: null, invoiceId: null };
  return { id: "cbtxn_1", source: "other", at: now, ...none, ...facts };
}

const plan = (lines: Line[], ...transactions: BalanceTransaction[]) =>
  planBalanceSync({ lines, transactions, customerId, currency: "EUR" });
const nothing = { postings: [], lines: [], calls: [] };
/** The line of a transaction that Stripe made on its own. */
const foreign = (facts: Change) => plan([], aTransaction(facts)).lines;
/** A deduction of the line `line_taken`, as its transaction's metadata says. */
const reversal = { kind: "reversed", why: "refund", referralId: "ref_a", wantedMinor: 500 } as const;

describe("a transaction that the site didn't make", () => {
  test.each<[BalanceTransaction["source"], number, Line["kind"], Line["why"]]>([
    ["invoice", -500, "applied", "order"],
    ["invoice", 500, "earned", "left-over"],
    ["invoice-voided", 500, "applied", "order-void"],
    ["invoice-voided", -500, "applied", "debt"],
    ["other", 500, "earned", "given"],
    ["other", -500, "reversed", "taken"],
  ])("because of %s by %i gets a line: %s, %s", (source, amountMinor, kind, why) => {
    expect(foreign({ source, amountMinor, afterMinor: 500 + amountMinor, invoiceId: "in_1" })).toEqual([
      aLine({ id: "line_cbtxn_1", kind, why, amountMinor, invoiceId: "in_1", customerId, providerId: "cbtxn_1" }),
    ]);
  });

  test.each([
    ["uses all of the credit", -500, 0, [-500]],
    ["uses more than there is by one", -501, -1, [-500]],
    ["uses the last of it", -1, 0, [-1]],
    ["adds to a debt", -500, -500, []],
    ["adds to a debt that there was", -500, -800, []],
    ["reduces a debt", 500, -1, []],
    ["ends a debt", 500, 0, []],
    ["ends a debt and leaves one", 500, 1, [1]],
    ["gives credit", 500, 500, [500]],
    ["changes nothing", 0, 500, []],
  ])("and that %s changes the credit only by its part above zero", (_what, amountMinor, afterMinor, amounts) => {
    expect(foreign({ amountMinor, afterMinor }).map((line) => line.amountMinor)).toEqual(amounts);
  });

  test("is entered in the ledger once", () => {
    const transaction = aTransaction({ amountMinor: 500, afterMinor: 500 });
    const { lines } = plan([], transaction);
    expect(plan(lines, transaction)).toEqual(nothing);
  });

  test("that was posted to another line by hand gets no line", () => {
    const line = aLine({ id: "line_by-hand", customerId, providerId: "cbtxn_1" });
    expect(plan([line], aTransaction({ amountMinor: 500, afterMinor: 500 }))).toEqual(nothing);
  });

  test("that names a line unknown to the ledger, and no deduction, gets a line as usual", () => {
    const { lines, calls } = plan([], aTransaction({ lineId: "line_erased", amountMinor: 500, afterMinor: 500 }));
    expect([lines, calls]).toMatchObject([[{ id: "line_cbtxn_1", kind: "earned", why: "given" }], []]);
  });
});

describe("the invoice of a checkout", () => {
  const posted = aLine({ id: "line_cbtxn_1", customerId, providerId: "cbtxn_1", invoiceId: "cs_1", amountMinor: -500 });
  const used = (facts: Partial<BalanceTransaction>) =>
    plan([posted], aTransaction({ source: "invoice", amountMinor: -500, afterMinor: 0, ...facts })).postings;

  test("is stored with the line that used the credit, once it is known", () => {
    expect(used({ invoiceId: "in_1" })).toEqual([{ lineId: posted.id, providerId: "cbtxn_1", invoiceId: "in_1" }]);
    expect(used({ invoiceId: "in_1", source: "invoice-voided" })).toHaveLength(1);
    expect(used({ invoiceId: "cs_1" })).toEqual([]);
    expect(used({ invoiceId: null })).toEqual([]);
    expect(used({ invoiceId: "in_1", source: "other" })).toEqual([]);
  });
});

describe("a line of the ledger", () => {
  const booked = aTransaction({ lineId: "line_reward", amountMinor: 500, afterMinor: 500 });

  test("is posted to Stripe, including lines of an earlier customer, unless they add up to zero", () => {
    const lines = [
      aLine(),
      aLine({ id: "line_moved", customerId: "cus_earlier", providerId: "cbtxn_0", amountMinor: -100 }),
      aLine({ id: "line_here", customerId, providerId: "cbtxn_9" }),
      aLine({ id: "line_empty", amountMinor: 0 }),
    ];
    expect(plan(lines).calls).toEqual([
      { kind: "post", line: lines[0] },
      { kind: "post", line: lines[1] },
    ]);
    expect(plan(lines).postings).toEqual([{ lineId: "line_empty", providerId: null }]);
  });

  test("that Stripe already has counts as posted, and isn't posted again", () => {
    const posting = { lineId: "line_reward", providerId: "cbtxn_1" };
    expect(plan([aLine()], booked)).toEqual({ ...nothing, postings: [posting] });
    expect(plan([aLine({ customerId, providerId: "cbtxn_1" })], booked)).toEqual(nothing);
  });

  test("that Stripe posted twice counts once, and the second time as credit granted", () => {
    const again = aTransaction({ ...booked, id: "cbtxn_2", afterMinor: 1000 });
    const { postings, lines } = plan([aLine()], booked, again);
    expect(postings).toEqual([{ lineId: "line_reward", providerId: "cbtxn_1" }]);
    expect(lines).toMatchObject([{ id: "line_cbtxn_2", kind: "earned", why: "given", amountMinor: 500 }]);
  });

  test.each([
    ["earned while there was a debt pays that first", 500, 300, -200, "applied", "debt"],
    ["earned while there was a larger debt is used up by it", 500, -1, -500, "applied", "debt"],
    ["deducted after an order used some of it takes what was left", -500, -200, 200, "reversed", "used-first"],
    ["deducted after an order used all of it takes nothing", -500, -500, 500, "reversed", "used-first"],
  ])("%s, by a separate line, once", (_what, amountMinor, afterMinor, difference, kind, why) => {
    const line = aLine({ amountMinor });
    const transaction = aTransaction({ ...booked, amountMinor, afterMinor });
    const found = plan([line], transaction).lines;
    expect(found).toMatchObject([{ id: "line_cbtxn_1", amountMinor: difference, kind, why, providerId: null }]);
    expect(plan([line, ...found], transaction).lines).toEqual([]);
  });
});

describe("a deduction that was made at Stripe when a Worker was killed", () => {
  const lineOf = (change: Partial<Change>, deduction: BalanceTransaction["deduction"] = reversal) =>
    foreign({ lineId: "line_taken", deduction, amountMinor: -500, afterMinor: 0, ...change })[0];

  test("gets the line that it was made for, which then needs no further action", () => {
    expect(lineOf({})).toEqual(
      aLine({
        id: "line_taken",
        kind: "reversed",
        why: "refund",
        referralId: "ref_a",
        amountMinor: -500,
        customerId,
        providerId: "cbtxn_1",
      }),
    );
    const transaction = aTransaction({ lineId: "line_taken", deduction: reversal, amountMinor: -500, afterMinor: 0 });
    expect(plan(plan([], transaction).lines, transaction)).toEqual(nothing);
  });

  test.each([
    ["all that was wanted", -500, 0, 0],
    ["one less", -499, 0, 1],
    ["one less, since an order used it first", -500, -1, 1],
    ["nothing, since an order used it first", -500, -500, 500],
    ["more than was wanted", -501, 0, 0],
  ])("and took %s leaves the rest owed", (_what, amountMinor, afterMinor, owedMinor) => {
    expect(lineOf({ amountMinor, afterMinor })).toMatchObject({ owedMinor });
  });

  test("has the kind and reason that Stripe stores, as far as this release knows them", () => {
    expect(lineOf({}, { ...reversal, kind: "expired", why: "term" })).toMatchObject({ kind: "expired", why: "term" });
    expect(lineOf({}, { ...reversal, kind: "lent", why: "weather" })).toMatchObject({ kind: "reversed", why: "taken" });
  });
});

describe("an overdrawn deduction", () => {
  const overdrawn = (amountMinor: number, afterMinor: number, facts: Partial<BalanceTransaction> = {}) =>
    aTransaction({ lineId: "line_taken", deduction: reversal, amountMinor, afterMinor, ...facts });

  test.each([
    ["a part of it", -500, -200, [200]],
    ["the last of it", -500, -1, [1]],
    ["all of it", -500, -500, [500]],
    ["no more than it, of a debt that there was", -500, -800, [500]],
    ["nothing, if there was enough", -500, 0, []],
    ["nothing that was given", 500, -1, []],
  ])("is returned: %s", (_what, amountMinor, afterMinor, given) => {
    const { calls } = plan([], overdrawn(amountMinor, afterMinor));
    expect(calls).toEqual(given.map((minor) => ({ kind: "return", lineId: "line_taken", amountMinor: minor })));
  });

  test("isn't returned where an invoice used it: that part is owed", () => {
    expect(plan([], overdrawn(-500, -200, { lineId: null, deduction: null, source: "invoice" })).calls).toEqual([]);
  });

  test("is returned once, doesn't count as credit, and is explained if it is", () => {
    const back = aTransaction({ id: "cbtxn_2", returnsLineId: "line_taken", amountMinor: 200, afterMinor: 0 });
    const after = plan([], overdrawn(-500, -200), back);
    expect([after.calls, after.lines.map(({ id }) => id)]).toEqual([[], ["line_taken"]]);
    // An invoice that was voided meanwhile had ended the debt.
    expect(foreign({ returnsLineId: "line_taken", amountMinor: 200, afterMinor: 200 })).toMatchObject([
      { kind: "reversed", why: "used-first", amountMinor: 200 },
    ]);
  });

  test("is returned before anything else is posted", () => {
    expect(plan([aLine()], overdrawn(-500, -200)).calls.map(({ kind }) => kind)).toEqual(["return", "post"]);
  });
});

test("the balance before the next charge is the newest transaction's, also when it is owed", () => {
  const left = (...afters: number[]) =>
    balanceAfter(afters.map((afterMinor) => aTransaction({ amountMinor: 1, afterMinor })));
  expect([left(), left(500, 300), left(500, 0), left(500, -1)]).toEqual([0, 300, 0, -1]);
});

test("a written plan posts its lines to the customer, and keeps the invoice of lines without a newer one", () => {
  const lines = [
    aLine({ id: "line_a", invoiceId: "cs_1" }),
    aLine({ id: "line_b", invoiceId: "in_0" }),
    aLine({ id: "line_c" }),
  ];
  const added = aLine({ id: "line_d" });
  const postings = [
    { lineId: "line_a", providerId: "cbtxn_a", invoiceId: "in_1" } as const,
    { lineId: "line_b", providerId: null } as const,
  ];
  expect(withBalanceSync(lines, { postings, lines: [added], calls: [] }, customerId)).toEqual([
    { ...lines[0], customerId, providerId: "cbtxn_a", invoiceId: "in_1" },
    { ...lines[1], customerId, providerId: null, invoiceId: "in_0" },
    lines[2],
    added,
  ]);
});

describe("deductions", () => {
  const deduct = (facts: Partial<Deduction> = {}): Deduction => ({
    id: "line_ref_a.reversed",
    kind: "reversed",
    why: "refund",
    referralId: "ref_a",
    takeMinor: 500,
    wantedMinor: 500,
    ...facts,
  });
  const expiring = deduct({ id: "line_b.expired", kind: "expired", why: "term", referralId: null });
  const planned = (deductions: Deduction[], creditMinor: number, owner: typeof customerId | null = customerId) =>
    planDeductions(deductions, creditMinor, { customerId: owner, currency: "EUR", now });

  test.each([
    [501, 500],
    [500, 500],
    [499, 499],
    [1, 1],
  ])("of a customer with %i are made at Stripe, up to the credit available: %i", (creditMinor, amountMinor) => {
    const deduction = deduct();
    expect(planned([deduction], creditMinor)).toEqual({
      calls: [{ kind: "deduct", deduction, amountMinor }],
      lines: [],
    });
  });

  test("use the credit in their order", () => {
    const { calls, lines } = planned([deduct(), expiring, deduct({ id: "line_ref_c.reversed" })], 700);
    expect(calls.map(({ deduction, amountMinor }) => [deduction.id, amountMinor])).toEqual([
      ["line_ref_a.reversed", 500],
      ["line_b.expired", 200],
    ]);
    expect(lines).toMatchObject([{ id: "line_ref_c.reversed", amountMinor: 0, owedMinor: 500 }]);
  });

  test.each([0, -31])(
    "without credit (%i) are owed immediately; credit that would have expired counts as used, and has no line",
    (balanceMinor) => {
      expect(planned([deduct(), expiring], balanceMinor)).toEqual({
        calls: [],
        lines: [
          aLine({
            id: "line_ref_a.reversed",
            kind: "reversed",
            why: "refund",
            referralId: "ref_a",
            amountMinor: 0,
            owedMinor: 500,
            customerId,
          }),
        ],
      });
    },
  );

  test("of an account without a customer are made only in the ledger", () => {
    const { calls, lines } = planned([deduct({ wantedMinor: 600 }), expiring], 700, null);
    expect(calls).toEqual([]);
    expect(lines).toMatchObject([
      { id: "line_ref_a.reversed", amountMinor: -500, owedMinor: 100, customerId: null, happenedAt: now },
      { id: "line_b.expired", kind: "expired", why: "term", amountMinor: -200, customerId: null },
    ]);
  });
});

/** Stripe's customer balance, as far as the plan depends on it. */
class Balance {
  transactions: BalanceTransaction[] = [];

  add(facts: Omit<Change, "afterMinor">): void {
    const id = `cbtxn_${this.transactions.length + 1}` as const;
    const afterMinor = (this.transactions.at(-1)?.afterMinor ?? 0) + facts.amountMinor;
    this.transactions.push(aTransaction({ ...facts, id, afterMinor }));
  }

  make(call: BalanceCall): void {
    if (call.kind === "post") this.add({ lineId: call.line.id, amountMinor: call.line.amountMinor });
    else if (call.kind === "return") this.add({ returnsLineId: call.lineId, amountMinor: call.amountMinor });
    else this.add({ lineId: call.deduction.id, deduction: call.deduction, amountMinor: -call.amountMinor });
  }
}

/** Earlier lines, and what happens then: Stripe's own transactions, deductions by the balance last seen, and comparisons by a Worker. */
function history(foreignMinor: { min: number; max: number }) {
  const amountMinor = fc.integer({ min: -800, max: 800 });
  const source = fc.constantFrom<BalanceTransaction["source"]>("invoice", "invoice-voided", "other");
  const before = fc.array(fc.record({ amountMinor, isEarlier: fc.boolean() }), { maxLength: 6 });
  const event = fc.oneof(
    fc.record({ kind: fc.constant("foreign" as const), amountMinor: fc.integer(foreignMinor), source }),
    fc.record({ kind: fc.constant("look" as const), isKilled: fc.boolean() }),
    fc.record({ kind: fc.constant("deduct" as const), takeMinor: fc.integer({ min: 1, max: 900 }) }),
  );
  return fc.record({ before, events: fc.array(event, { maxLength: 25 }) });
}

type History = ReturnType<typeof history> extends fc.Arbitrary<infer Value> ? Value : never;

function replay({ before, events }: History): BalanceTransaction[] {
  const stripe = new Balance();
  let seenMinor = 0;
  let lines = before.map(({ amountMinor, isEarlier }, index) => {
    const posted = { customerId: "cus_earlier", providerId: `cbtxn_earlier-${index}` } as const;
    return aLine({ id: `line_${index}`, amountMinor, ...(isEarlier && posted) });
  });
  const look = () => {
    const found = plan(lines, ...stripe.transactions);
    lines = withBalanceSync(lines, found, customerId);
    seenMinor = Math.max(0, balanceAfter(stripe.transactions));
    expect(balanceOf(lines.filter((line) => line.customerId === customerId))).toBe(seenMinor);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    return found.calls;
  };
  const lookAndCall = (isKilled: boolean) => {
    const calls = look();
    for (const call of isKilled ? calls.slice(0, 1) : calls) stripe.make(call);
  };
  for (const [index, event] of events.entries()) {
    if (event.kind === "foreign") stripe.add({ amountMinor: event.amountMinor, source: event.source });
    else if (event.kind === "look") lookAndCall(event.isKilled);
    else {
      const id: LedgerLineId = `line_deduction-${index}`;
      const deduction = { ...reversal, id, takeMinor: event.takeMinor, wantedMinor: event.takeMinor };
      const { calls } = planDeductions([deduction], seenMinor, { customerId, currency: "EUR", now });
      for (const call of calls) stripe.make(call);
    }
  }
  // The first call posts what is missing, the second gives back what that overdrew.
  lookAndCall(false);
  lookAndCall(false);
  expect(look()).toEqual([]);
  expect(balanceOf(lines)).toBe(Math.max(0, balanceAfter(stripe.transactions)));
  expect(plan(lines, ...stripe.transactions)).toEqual(nothing);
  return stripe.transactions;
}

describe("wherever a Worker is killed, and whatever happens at Stripe meanwhile,", () => {
  test("the posted lines equal the credit at Stripe, and after a few runs nothing is left to do", () => {
    fc.assert(fc.property(history({ min: -800, max: 800 }), (happened) => void replay(happened)));
  });

  test("deductions leave no debt, and none is returned twice", () => {
    fc.assert(
      fc.property(history({ min: 0, max: 800 }), (happened) => {
        const transactions = replay(happened);
        expect(transactions.at(-1)?.afterMinor ?? 0).toBeGreaterThanOrEqual(0);
        const returned = transactions.flatMap(({ returnsLineId }) => returnsLineId ?? []);
        expect(new Set(returned).size).toBe(returned.length);
      }),
    );
  });
});
