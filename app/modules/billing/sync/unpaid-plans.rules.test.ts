import { describe, expect, test } from "vitest";
import { decideUnpaidPlans } from "./unpaid-plans.rules.ts";

type Facts = Parameters<typeof decideUnpaidPlans>[0];
type Invoice = Facts["invoices"][number];

const subscription = {
  id: "sub_1",
  status: "unpaid",
  collection: "automatic",
  pauseCause: null,
  endCause: null,
  cancelsAt: null,
  endedAt: null,
} as const;
const periodEndsAt = 100;
const debt: Invoice = {
  id: "in_debt",
  state: "open",
  billingReason: "renewal",
  createdAt: 1,
  goesOutAt: null,
  paymentIds: ["pi_1"],
  subscriptionId: "sub_1",
  lines: [{ periodEndsAt }],
};
const draft: Invoice = { ...debt, id: "in_draft", state: "draft", createdAt: 2, paymentIds: [] };
const failed = { id: "pi_1", state: "failed" } as const;
const facts: Facts = { subscriptions: [subscription], invoices: [draft, debt], payments: [failed] };

const ends = [{ kind: "ends", subscriptionId: "sub_1" }];
const renews = (invoiceId: string) => [{ kind: "renews", subscriptionId: "sub_1", invoiceId }];

describe("an unpaid plan", () => {
  test.each<[string, Facts, ReturnType<typeof renews> | typeof ends | []]>([
    ["whose next period has begun ends", facts, ends],
    ["continues until then", { ...facts, invoices: [debt] }, []],
    ["isn't ended by a draft from before its debt", { ...facts, invoices: [debt, { ...draft, createdAt: 0 }] }, []],
    [
      "isn't charged for a draft from before its debt, also once that was given up",
      {
        ...facts,
        invoices: [
          { ...debt, state: "void" },
          { ...draft, createdAt: 0 },
        ],
      },
      [],
    ],
    [
      "is collected if its debt was paid",
      { ...facts, invoices: [draft, { ...debt, state: "paid" }] },
      renews("in_draft"),
    ],
    [
      "is collected if its debt was given up",
      { ...facts, invoices: [draft, { ...debt, state: "void" }] },
      renews("in_draft"),
    ],
    [
      "is collected for its newest period alone",
      { ...facts, invoices: [draft, { ...draft, id: "in_newest", createdAt: 3 }] },
      renews("in_newest"),
    ],
    ["waits while a bank decides", { ...facts, payments: [{ ...failed, state: "processing" }] }, []],
    ["isn't kept by another debt's payment", { ...facts, payments: [{ id: "pi_2", state: "processing" }] }, ends],
    ["is left alone on hold", { ...facts, subscriptions: [{ ...subscription, collection: "on-hold" }] }, []],
    ["is left alone while it is past due", { ...facts, subscriptions: [{ ...subscription, status: "past_due" }] }, []],
    ["waits for a draft that Stripe collects itself", { ...facts, invoices: [{ ...draft, goesOutAt: 3 }, debt] }, []],
    [
      "isn't decided by another plan's draft",
      { ...facts, invoices: [{ ...draft, subscriptionId: "sub_2" }, debt] },
      [],
    ],
  ])("%s", (_, given, verdicts) => {
    expect(decideUnpaidPlans(given, 50)).toEqual(verdicts);
  });
});

test("what is owed for a plan that Stripe ended for it can't be paid any more, unless a bank is deciding", () => {
  const ended = { ...subscription, status: "canceled", endCause: "payment-failed" } as const;
  const given: Facts = { subscriptions: [ended], invoices: [debt], payments: [failed] };
  expect(decideUnpaidPlans(given, 50)).toEqual([{ kind: "void", invoiceId: "in_debt" }]);
  expect(decideUnpaidPlans({ ...given, payments: [{ ...failed, state: "processing" }] }, 50)).toEqual([]);
  expect(decideUnpaidPlans({ ...given, subscriptions: [{ ...ended, endCause: null }] }, 50)).toEqual([]);
  // As it was cancelled, or before that.
  for (const [endedAt, verdicts] of [
    [40, [{ kind: "void", invoiceId: "in_debt" }]],
    [39, []],
  ] as const) {
    const cancelled = { ...ended, endCause: null, cancelsAt: 40, endedAt };
    expect(decideUnpaidPlans({ ...given, subscriptions: [cancelled] }, 50)).toEqual(verdicts);
  }
});

describe("a plan that Stripe paused because a renewal failed", () => {
  const paused = { ...subscription, pauseCause: "first-payment-failed" } as const;
  const first: Invoice = { ...debt, id: "in_first", billingReason: "new-plan", state: "paid", createdAt: 0 };
  const given = (own: Partial<Invoice>, more: Partial<Facts> = {}): Facts => ({
    subscriptions: [{ ...paused, status: own.state === "paid" || own.state === "void" ? "paused" : "unpaid" }],
    invoices: [{ ...debt, ...own }, first],
    payments: [failed],
    ...more,
  });
  test.each<[string, Facts, number, ReturnType<typeof decideUnpaidPlans>]>([
    ["waits for its payment while its period lasts", given({}), periodEndsAt - 1, []],
    ["ends with that period", given({}), periodEndsAt, [{ kind: "ends", subscriptionId: "sub_1" }]],
    [
      "doesn't end while a bank decides",
      given({}, { payments: [{ ...failed, state: "processing" }] }),
      periodEndsAt,
      [],
    ],
    ["is resumed once it was paid", given({ state: "paid" }), 50, [{ kind: "resumes", subscriptionId: "sub_1" }]],
    ["stays paused if its debt was given up", given({ state: "void" }), periodEndsAt, []],
  ])("%s", (_, facts, now, verdicts) => {
    expect(decideUnpaidPlans(facts, now)).toEqual(verdicts);
  });

  test.each(["requested", "trial-ended", "system"] as const)("is left alone if the cause is another: %s", (cause) => {
    const facts = given({ state: "paid" }, { subscriptions: [{ ...paused, status: "paused", pauseCause: cause }] });
    expect(decideUnpaidPlans(facts, periodEndsAt)).toEqual([]);
  });
});
