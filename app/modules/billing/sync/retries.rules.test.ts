import { describe, expect, test } from "vitest";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { type DebtFacts, manualRetriesPerDayMax, retriesWithNewCard, retryAgainAt } from "./retries.rules.ts";

type Part<Name extends keyof DebtFacts> = Partial<DebtFacts[Name][number]>;

/** A renewal declined with one card, and another card that would be charged now. */
const debt = (
  subscription: Part<"subscriptions"> = {},
  invoice: Part<"invoices"> = {},
  payment: Part<"payments"> = {},
): DebtFacts => ({
  subscriptions: [{ id: "sub_1", status: "past_due", collection: "automatic", methodId: "pm_new", ...subscription }],
  invoices: [
    {
      id: "in_1",
      state: "open",
      billingReason: "renewal",
      attempts: 1,
      createdAt: 1,
      paymentIds: ["pi_1"],
      subscriptionId: "sub_1",
      ...invoice,
    },
  ],
  payments: [{ id: "pi_1", state: "failed", methodId: "pm_old", createdAt: 1, ...payment }],
});

describe("an open renewal is retried with a new card", () => {
  test.each(["past_due", "unpaid"] as const)("of a plan that is %s", (status) => {
    expect(retriesWithNewCard(debt({ status }))).toEqual([{ invoiceId: "in_1", methodId: "pm_new" }]);
  });

  test("also when the old card's payment waits for the bank's confirmation, or when there was no card", () => {
    for (const payment of [{ state: "needs-action" }, { state: "other", methodId: null }] as const) {
      expect(retriesWithNewCard(debt({}, {}, payment))).toHaveLength(1);
    }
  });

  test.each<[string, Part<"subscriptions">, Part<"invoices">, Part<"payments">]>([
    ["the card is the same", { methodId: "pm_old" }, {}, {}],
    ["there is no card any more", { methodId: null }, {}, {}],
    ["a bank is working on it", {}, {}, { state: "processing" }],
    ["it isn't known which card failed", {}, {}, { methodId: null }],
    ["the plan is active", { status: "active" }, {}, {}],
    ["its charges are on hold", { collection: "on-hold" }, {}, {}],
    ["it is paid", {}, { state: "paid" }, {}],
    ["it was not tried so far", {}, { attempts: 0 }, {}],
    ["it is for a change, for which nothing is owed", {}, { billingReason: "change" }, {}],
    ["it belongs to another plan", {}, { subscriptionId: "sub_2" }, {}],
  ])("not when %s", (_, subscription, invoice, payment) => {
    expect(retriesWithNewCard(debt(subscription, invoice, payment))).toEqual([]);
  });
});

test("the quota has room again a day after the oldest try in it", () => {
  const now = 10 * dayMs;
  const usedAts = Array.from({ length: manualRetriesPerDayMax }, (_, index) => now - (index + 1) * hourMs);
  expect(retryAgainAt(usedAts, manualRetriesPerDayMax, now)).toBe(now - manualRetriesPerDayMax * hourMs + dayMs);
  expect(retryAgainAt([], manualRetriesPerDayMax, now)).toBe(now);
});
