import { expect, test } from "vitest";
import { decideConcurrentPlans, supersededSince } from "./concurrent-plans.rules.ts";

type Facts = Parameters<typeof decideConcurrentPlans>[0];
type Plan = Facts["subscriptions"][number];

const plan = (id: Plan["id"], createdAt: number, own: Partial<Plan> = {}): Plan => ({
  id,
  createdAt,
  status: "active",
  sold: { planId: "small" },
  ...own,
});
const open: Facts["checkouts"] = [{ id: "cs_1", state: "open", orderId: "ord_1" }];

function decide(subscriptions: Plan[], own: Partial<Facts> = {}) {
  const invoices = subscriptions.map(({ id }) => ({ subscriptionId: id, state: "paid" as const }));
  const { kept, ...verdict } = decideConcurrentPlans(
    { subscriptions, invoices, checkouts: open, ...own },
    (planId) => planId !== "elsewhere",
  );
  return { ...verdict, kept: kept?.id ?? null };
}

test("one plan supersedes none, and a checkout that would start a second one expires", () => {
  expect(decide([plan("sub_1", 1)])).toEqual({ superseded: [], kept: "sub_1", expired: ["cs_1"] });
  expect(decide([])).toEqual({ superseded: [], kept: null, expired: [] });
});

test("of several that run the newest stays, in any order of the answer", () => {
  const plans = [plan("sub_1", 1), plan("sub_2", 2, { status: "past_due" }), plan("sub_3", 3, { status: "trialing" })];
  for (const given of [plans, plans.toReversed()])
    expect(decide(given)).toMatchObject({ superseded: ["sub_1", "sub_2"], kept: "sub_3" });
  expect(decide([plan("sub_b", 1), plan("sub_a", 1)])).toMatchObject({ superseded: ["sub_a"], kept: "sub_b" });
});

test("a paused one ends once another runs, whichever is newer, and stays while none does", () => {
  const paused = plan("sub_2", 2, { status: "paused" });
  expect(decide([paused, plan("sub_3", 3, { status: "trialing" })])).toMatchObject({
    superseded: ["sub_2"],
    kept: "sub_3",
  });
  expect(decide([plan("sub_1", 1), paused])).toMatchObject({ superseded: ["sub_2"], kept: "sub_1" });
  expect(decide([paused])).toEqual({ superseded: [], kept: null, expired: [] });
  const unpaid = { invoices: [{ subscriptionId: "sub_2" as const, state: "paid" as const }] };
  expect(decide([paused, plan("sub_3", 3)], unpaid)).toMatchObject({ superseded: [], kept: null });
});

test.each<[string, Plan, Partial<Facts>]>([
  ["has ended", plan("sub_2", 2, { status: "canceled" }), {}],
  ["isn't sold here", plan("sub_2", 2, { sold: { planId: "elsewhere" } }), {}],
  ["isn't of a known plan", plan("sub_2", 2, { sold: null }), {}],
  ["isn't paid for yet", plan("sub_2", 2), { invoices: [{ subscriptionId: "sub_1", state: "paid" }] }],
])("one that %s neither stays in another's place nor is ended", (_, other, own) => {
  expect(decide([plan("sub_1", 1), other], own)).toMatchObject({ superseded: [], kept: "sub_1" });
});

test("checkouts that have ended, and those of another shop, are left alone", () => {
  const checkouts: Facts["checkouts"] = [
    { id: "cs_2", state: "complete", orderId: "ord_1" },
    { id: "cs_3", state: "open", orderId: null },
  ];
  expect(decide([plan("sub_1", 1)], { checkouts }).expired).toEqual([]);
});

test("a plan was superseded when the newest of those began that ran as it ended", () => {
  const ended = { id: "sub_1", createdAt: 1, endedAt: 30 } as const;
  const others = [
    { id: "sub_2", createdAt: 2, endedAt: 30 },
    { id: "sub_3", createdAt: 20, endedAt: 90 },
    { id: "sub_4", createdAt: 40, endedAt: null },
  ] as const;
  expect(supersededSince(ended, [ended, ...others])).toBe(20);
  expect(supersededSince(ended, [ended])).toBe(30);
  expect(supersededSince({ ...ended, endedAt: null }, others)).toBeNull();
});
