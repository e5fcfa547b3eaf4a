import { describe, expect, test } from "vitest";
import { hourMs } from "#app/core/time/time.ts";
import { nextCharge, type Subscription } from "./rules.ts";
import { changesToEmail } from "./changes-to-email.rules.ts";

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
  pendingMinor: null,
  startedAt: 0,
  periodEndsAt: 1000,
  cancelsAt: null,
  endsByNotice: false,
  pastDueSince: null,
  endedAt: null,
  collection: "automatic" as const,
  comingMinor: null,
  comingAt: null,
  renewalMinor: null,
  pauseCause: null,
  trialEndsAt: null,
  endCause: null,
  refundOwedMinor: 0,
};
const planned = { pendingPlanId: "small", pendingInterval: "month", pendingAt: 1000 } as const;
const kinds = (before: Partial<Subscription>, after: Partial<Subscription>) =>
  changesToEmail({ ...running, ...before }, { ...running, ...after }).map(({ kind }) => kind);

describe("the steps that follow if", () => {
  test.each<[string, Partial<Subscription>, Partial<Subscription>, string[]]>([
    ["nothing happened", {}, {}, []],
    ["only the card and the period are new", {}, { cardLast4: "4242", periodEndsAt: 2000 }, []],
    ["it was cancelled", {}, { cancelsAt: 1000 }, ["cancelled"]],
    ["it had been cancelled", { cancelsAt: 1000 }, { cancelsAt: 1000 }, []],
    ["it is to end earlier", { cancelsAt: 1000 }, { cancelsAt: 900 }, ["cancelled"]],
    ["it is to end later", { cancelsAt: 1000 }, { cancelsAt: 1100 }, []],
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
    ["it ended", { cancelsAt: 1000 }, { state: "ended", cancelsAt: null }, ["ended"]],
    ["it had ended before", { state: "ended" }, { state: "ended", planId: "large" }, []],
  ])("%s", (_what, before, after, noticed) => {
    expect(kinds(before, after)).toEqual(noticed);
  });

  test("each step names the state before, so that only one of two concurrent runs applies it", () => {
    const [step] = changesToEmail(running, { ...running, cancelsAt: 1000 });
    expect([step?.from, step?.to]).toEqual([{ cancelsAt: null }, { cancelsAt: 1000 }]);
  });
});

test("the next charge is the running plan's price less the credit, and never below zero", () => {
  const priceOf = () => 1500;
  expect(nextCharge(running, priceOf, 0)).toMatchObject({ amountMinor: 600, currency: "EUR" });
  expect(nextCharge(running, priceOf, 250)?.amountMinor).toBe(350);
  expect(nextCharge(running, priceOf, 700)?.amountMinor).toBe(0);
  expect(nextCharge({ ...running, ...planned }, priceOf, 0)?.amountMinor).toBe(1500);
  expect(nextCharge({ ...running, ...planned, pendingMinor: 1200 }, priceOf, 0)?.amountMinor).toBe(1200);
  expect(nextCharge({ ...running, ...planned, pendingAt: 1001 }, priceOf, 0)?.amountMinor).toBe(600);
});

describe("the next charge", () => {
  const next = (some: Partial<Subscription>, creditMinor = 0) =>
    nextCharge({ ...running, ...some }, () => 1500, creditMinor);

  test("is the invoice that already exists, on its date, also if the plan changes or ends later", () => {
    const invoiced = { comingMinor: 900, comingAt: 5 };
    expect(next(invoiced)).toMatchObject({ amountMinor: 900, at: 5 });
    expect(next(invoiced, 300)).toMatchObject({ amountMinor: 600, at: 5 });
    expect(next({ ...invoiced, ...planned })).toMatchObject({ amountMinor: 900, at: 5 });
    expect(next({ ...invoiced, cancelsAt: 1000 })).toMatchObject({ amountMinor: 900, at: 5 });
    // Stripe drafts a renewal when the period ends, and charges it an hour later.
    expect(next({})).toMatchObject({ amountMinor: 600, at: running.periodEndsAt + hourMs });
  });

  test.each<[string, Partial<Subscription>]>([
    ["is cancelled", { cancelsAt: 1000 }],
    ["is paused", { state: "paused" }],
    ["was given up collecting", { state: "unpaid" }],
    ["has ended", { state: "ended" }],
    ["has its charges on hold", { collection: "on-hold" }],
    ["has them on hold, and one is drawn", { collection: "on-hold", comingMinor: 900, comingAt: 5 }],
  ])("is omitted for a plan that %s", (_what, some) => {
    expect(next(some)).toBeNull();
  });
});
