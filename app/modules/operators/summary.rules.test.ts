import { expect, test } from "vitest";
import { free, large, small } from "#tests/support/billing/catalogue.ts";
import { type PersonFacts, summarise } from "./summary.rules.ts";

const now = Date.UTC(2026, 10, 23);
const soon = Date.UTC(2026, 11, 14);
const later = Date.UTC(2027, 1, 14);
const past = Date.UTC(2026, 9, 23);

type Plan = PersonFacts["subscriptions"][number];

function paidUntil(facts: Partial<Plan>): string {
  const plan: Plan = {
    state: "active",
    planId: large.id,
    interval: "month",
    amountMinor: 700,
    currency: "EUR",
    cardBrand: null,
    cardLast4: null,
    cardExpires: null,
    collection: "automatic",
    periodEndsAt: soon,
    cancelsAt: null,
    pastDueSince: null,
    pendingPlanId: null,
    pendingInterval: null,
    pendingAt: null,
    pauseCause: null,
    endCause: null,
    refundOwedMinor: 0,
    endedAt: null,
    ...facts,
  };
  const account = { email: "mara@example.com", name: null, state: "active", restorableUntil: null } as const;
  const none = {
    activities: [],
    orders: [],
    emails: [],
    ofHooks: { attention: [], undecided: [] },
    withdrawals: [],
    cancellations: [],
    friends: [],
    broughtBy: [],
    fraudWarnings: [],
    unclaimed: [],
  };
  const product = { plans: [free, small, large] };
  return summarise({ product, now }, { account, ...none, discounts: [], subscriptions: [plan] }).paidUntil;
}

const smaller = { pendingPlanId: small.id, pendingInterval: "year", pendingAt: soon } as const;
const onHold = "nothing is charged while collection is on hold";

test.each<[string, Partial<Plan>, string]>([
  ["renews", {}, "2026-12-14, then renews"],
  [
    "is paused",
    { state: "paused", periodEndsAt: past },
    "2026-10-23 (passed), nothing renews while the plan is paused",
  ],
  [
    "is paused and cancelled",
    { state: "paused", cancelsAt: soon },
    "2026-12-14, nothing renews while the plan is paused; ends on 2026-12-14",
  ],
  ["is on hold", { collection: "on-hold" }, `2026-12-14, ${onHold}`],
  ["is on hold and cancelled", { collection: "on-hold", cancelsAt: soon }, "2026-12-14, then ends"],
  ["ends with its period", { cancelsAt: soon }, "2026-12-14, then ends"],
  ["ends some periods later", { cancelsAt: later }, "2026-12-14, then renews; ends on 2027-02-14"],
  ["changes with the next period", smaller, `2026-12-14, then ${small.name} by the year, from 2026-12-14`],
  [
    "changes some periods later",
    { ...smaller, pendingAt: later },
    `2026-12-14, then renews; then ${small.name} by the year, from 2027-02-14`,
  ],
  [
    "is on hold and changes",
    { ...smaller, collection: "on-hold" },
    `2026-12-14, ${onHold}; then ${small.name} by the year, from 2026-12-14`,
  ],
  ["ends before it changes", { ...smaller, cancelsAt: soon }, "2026-12-14, then ends"],
  ["is past due", { state: "past-due-grace", pastDueSince: past }, "overdue since 2026-10-23"],
  [
    "is past due and cancelled",
    { state: "past-due-locked", pastDueSince: past, cancelsAt: soon },
    "overdue since 2026-10-23; ends on 2026-12-14",
  ],
  ["isn't collected any more", { state: "unpaid" }, "overdue"],
  ["has a period that is over", { periodEndsAt: past }, "2026-10-23 (passed), renewal not reported by Stripe yet"],
])("the summary says until when a plan is paid that %s", (_, facts, text) => {
  expect(paidUntil(facts)).toBe(text);
});
