import { describe, expect, test } from "vitest";
import { nextCharge, type Subscription } from "./rules.ts";
import { judgeSteps } from "./steps.rules.ts";

const running: Subscription = {
  id: "sub_1",
  state: "active",
  planId: "small",
  interval: "month",
  amountMinor: 600,
  currency: "EUR",
  cardBrand: null,
  cardLast4: null,
  cardExpires: null,
  pendingPlanId: null,
  pendingInterval: null,
  pendingAt: null,
  startedAt: 0,
  periodEndsAt: 1000,
  cancelsAt: null,
  pastDueSince: null,
  endedAt: null,
};
const planned = { pendingPlanId: "small", pendingInterval: "month", pendingAt: 1000 } as const;
const kinds = (before: Partial<Subscription>, after: Partial<Subscription>) =>
  judgeSteps({ ...running, ...before }, { ...running, ...after }).map(({ kind }) => kind);

describe("what a person hears of their plan", () => {
  test.each<[string, Partial<Subscription>, Partial<Subscription>, string[]]>([
    ["nothing happened", {}, {}, []],
    ["only the card and the period are new", {}, { cardLast4: "4242", periodEndsAt: 2000 }, []],
    ["it was cancelled", {}, { cancelsAt: 1000 }, ["cancelled"]],
    ["that was undone", { cancelsAt: 1000 }, {}, ["resumed"]],
    ["another plan is to begin", {}, planned, ["planned"]],
    ["yet another is to begin", planned, { ...planned, pendingPlanId: "large" }, ["planned"]],
    ["that was taken back", planned, {}, []],
    ["the plan is another", {}, { planId: "large" }, ["changed"]],
    ["the interval is another", {}, { interval: "year" }, ["changed"]],
    ["the planned change has come", { ...planned, planId: "large" }, {}, ["changed"]],
    ["a renewal failed", {}, { state: "past-due-grace" }, []],
    ["the grace is over", { state: "past-due-grace" }, { state: "past-due-locked" }, ["locked"]],
    ["it was paid in time", { state: "past-due-grace" }, {}, []],
    ["it was paid late", { state: "past-due-locked" }, {}, ["unlocked"]],
    ["it ended", { cancelsAt: 1000 }, { state: "ended", cancelsAt: null }, []],
  ])("%s", (_what, before, after, told) => {
    expect(kinds(before, after)).toEqual(told);
  });

  test("each step names what stood before, so that only one of two who saw it takes it", () => {
    const [step] = judgeSteps(running, { ...running, cancelsAt: 1000 });
    expect([step?.from, step?.to]).toEqual([{ cancelsAt: null }, { cancelsAt: 1000 }]);
  });
});

test("the next charge is the price of what runs then, less the credit, and never below zero", () => {
  const priceOf = () => 1500;
  expect(nextCharge(running, priceOf, 0)).toMatchObject({ amountMinor: 600, currency: "EUR" });
  expect(nextCharge(running, priceOf, 250).amountMinor).toBe(350);
  expect(nextCharge(running, priceOf, 700).amountMinor).toBe(0);
  expect(nextCharge({ ...running, ...planned }, priceOf, 0).amountMinor).toBe(1500);
  expect(nextCharge({ ...running, ...planned, pendingAt: 1001 }, priceOf, 0).amountMinor).toBe(600);
});
