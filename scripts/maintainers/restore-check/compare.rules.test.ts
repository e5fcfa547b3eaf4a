import { describe, expect, test } from "vitest";
import {
  type AccountState,
  compareAccounts,
  countLostVisits,
  countSentAgain,
  listLostRows,
  listReusedNumbers,
} from "./compare.rules.ts";

const mara: AccountState = {
  address: "mara@example.com",
  paidMinor: 600,
  refundedMinor: 0,
  creditMinor: 100,
  orders: ["new-plan small month 600"],
  access: "active small month",
};
const atStripe = { address: mara.address, paidMinor: 600, refundedMinor: 0, creditMinor: 100, hasPlan: true };

describe("a repaired account", () => {
  test("has no difference, whatever the order of its rows", () => {
    const two = { ...mara, orders: ["a", "b"] };
    expect(compareAccounts([two], [{ ...two, orders: ["b", "a"] }], [atStripe])).toEqual({
      differences: [],
      byHand: [],
    });
  });

  test.each<[string, Partial<AccountState>]>([
    ["order is missing", { orders: [] }],
    ["order too many", { orders: [...mara.orders, ...mara.orders] }],
    ["access is none", { access: null }],
    ["paid is 0, and was 600", { paidMinor: 0 }],
    ["refunded is 600, and is at Stripe 0", { refundedMinor: 600 }],
    ["credit is 0, and is at Stripe 100", { creditMinor: 0 }],
  ])("differs if an %s", (difference, changed) => {
    const { differences } = compareAccounts([mara], [{ ...mara, ...changed }], [atStripe]);
    expect(differences).toContainEqual(expect.stringContaining(difference));
  });

  test("without a plan at Stripe has no access", () => {
    const { differences } = compareAccounts([mara], [mara], [{ ...atStripe, hasPlan: false }]);
    expect(differences).toEqual(["mara@example.com: access differs from Stripe's subscription"]);
  });

  test("that never paid needs no customer at Stripe", () => {
    const visitor = { ...mara, paidMinor: 0, orders: [], access: null };
    expect(compareAccounts([visitor], [visitor], []).differences).toEqual([]);
  });
});

test("a customer whose account was lost is left to operators", () => {
  expect(compareAccounts([mara], [], [atStripe])).toEqual({
    differences: [],
    byHand: [expect.stringMatching(/^mara@example\.com .* 600 .* a subscription runs$/)],
  });
});

test("what is gone is counted by table, with what follows from it", () => {
  const complete = new Map([
    ["devices", [{ id: "a" }, { id: "b" }]],
    ["activities", [{ id: "c" }]],
    ["orders", [{ id: "d" }]],
    ["referral_links", [{ visits: 3 }, { visits: 4 }]],
  ]);
  const restored = new Map([
    ["devices", [{ id: "a" }]],
    ["referral_links", [{ visits: 3 }]],
  ]);
  expect(listLostRows(complete, restored)).toEqual([
    "lines of activity logs (1)",
    expect.stringMatching(/^devices \(1\): the product activates/),
  ]);
  expect(countLostVisits(complete, restored)).toBe(4);
});

test("a number is reused if it names another invoice, and not if it is missing or the same", () => {
  const order = (number: number, invoice: string) => ({
    number_year: 2026,
    number_in_year: number,
    invoice_id: invoice,
  });
  const complete = new Map([["orders", [order(1, "in_1"), order(2, "in_2"), order(3, "in_3")]]]);
  const restored = new Map([
    ["orders", [order(1, "in_1"), order(2, "in_3"), { ...order(9, "in_9"), number_year: null }]],
  ]);
  expect(listReusedNumbers(complete, restored)).toEqual(["2026-000002"]);
});

test("an email is sent again if it was sent in the hour and after it, and not if only once or before", () => {
  const outbox = (...sent: string[]) => new Map([["emails", sent.map((id) => ({ id, state: "sent" }))]]);
  expect(countSentAgain(outbox("old"), outbox("old", "twice", "once"), outbox("old", "twice", "late"))).toBe(1);
});
