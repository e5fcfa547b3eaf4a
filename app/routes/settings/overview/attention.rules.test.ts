import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { type AttentionFacts, attentionKinds, listAttention } from "./attention.rules.ts";

const now = Date.UTC(2026, 10, 20, 12);
const calm: AttentionFacts = {
  running: { state: "active", cardExpires: "2030-12" },
  isDue: false,
  ended: null,
  isUnconfirmed: false,
  open: null,
  next: { at: now + 20 * dayMs },
  counts: [{ used: 1, limit: 3 }],
  full: [],
  isAddressNew: false,
  now,
};
const expiring = { state: "active", cardExpires: "2026-11" } as const;

test("nothing is listed if nothing needs attention", () => {
  expect(listAttention(calm)).toEqual([]);
  expect(listAttention({ ...calm, running: null, next: null, counts: [{ used: 0, limit: 1 }] })).toEqual([]);
});

test.each<[kind: string, facts: Partial<AttentionFacts>]>([
  ["payment-failed", { isDue: true }],
  ["plan-paused", { running: { state: "paused", cardExpires: null }, next: null }],
  ["plan-lost", { running: null, next: null, ended: { endCause: "payment-failed", endedAt: now - 29 * dayMs } }],
  ["first-payment", { running: null, next: null, open: { state: "failed" } }],
  ["card-expiring", { running: expiring }],
  ["counted-over", { counts: [{ used: 4, limit: 3 }] }],
  ["counted-idle", { running: null, next: null, counts: [{ used: 1, limit: null }] }],
  ["limit-reached", { full: ["Storage"] }],
  ["address-changed", { isAddressNew: true }],
])("an account with %s lists only that", (kind, facts) => {
  expect(listAttention({ ...calm, ...facts })).toEqual([kind]);
});

test("a plan that ended isn't mentioned if its owner ended it, a month later, or while its successor is being paid for", () => {
  const lost = { endCause: "payment-failed", endedAt: now - dayMs } as const;
  const without = { ...calm, running: null, next: null, ended: lost };
  expect(listAttention(without)).toEqual(["plan-lost"]);
  expect(listAttention({ ...without, ended: { ...lost, endCause: null } })).toEqual([]);
  expect(listAttention({ ...without, ended: { ...lost, endedAt: now - 30 * dayMs } })).toEqual([]);
  expect(listAttention({ ...without, open: { state: "processing" } })).toEqual([]);
});

test("items are listed in a fixed order, the most urgent first", () => {
  const everything = {
    ...calm,
    running: expiring,
    counts: [{ used: 4, limit: 3 }],
    full: ["Storage"],
    isAddressNew: true,
  };
  expect(listAttention(everything)).toEqual(["card-expiring", "counted-over", "limit-reached", "address-changed"]);
  const due = listAttention({ ...everything, isDue: true });
  expect(due).toEqual(["payment-failed", "counted-over", "limit-reached", "address-changed"]);
  expect(due.map((kind) => attentionKinds.indexOf(kind))).toEqual(
    due.map((kind) => attentionKinds.indexOf(kind)).toSorted((a, b) => a - b),
  );
});

test.each<[what: string, facts: Partial<AttentionFacts>]>([
  ["an overdue payment", { isDue: true }],
  ["a paused plan", { running: { state: "paused", cardExpires: null } }],
  ["a first payment that failed", { running: null, open: { state: "failed" } }],
  ["a card that expires", { running: expiring }],
])("while a payment isn't confirmed, %s isn't mentioned", (_what, facts) => {
  expect(listAttention({ ...calm, ...facts, isUnconfirmed: true })).toEqual([]);
});

test("a choice without a checkout isn't listed, nor a debit under way, nor an order beside a running plan", () => {
  const chosen = { ...calm, running: null, next: null };
  expect(listAttention({ ...chosen, open: { state: "draft" } })).toEqual([]);
  expect(listAttention({ ...chosen, open: { state: "processing" } })).toEqual([]);
  expect(listAttention({ ...chosen, open: { state: "needs-action" } })).toEqual(["first-payment"]);
  expect(listAttention({ ...calm, open: { state: "failed" } })).toEqual([]);
});

test("a card that expires after the next charge, or without one, isn't listed", () => {
  expect(listAttention({ ...calm, running: expiring, next: { at: now + 5 * dayMs } })).toEqual([]);
  expect(listAttention({ ...calm, running: expiring, next: null })).toEqual([]);
});

test("limits are listed once a device is active", () => {
  expect(listAttention({ ...calm, counts: [{ used: 0, limit: 3 }], full: ["Storage"] })).toEqual([]);
});
