import { describe, expect, test } from "vitest";
import { formatDay } from "#app/core/time/time.ts";
import { upgradeMessages } from "../../upgrade/messages.ts";
import { planMessages, planAheadMessages } from "../messages.ts";
import { product } from "#app/product/config.ts";
import { free, large, price, small } from "#tests/support/billing/catalogue.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { againOf, sayEnded, sayPendingChange } from "./plan-ahead.ts";

test("a plan that ended can be started again for the same period while it is sold", () => {
  expect(againOf({ product, gate: { kind: "none" } }, { planId: large.id, interval: "year", endCause: null })).toEqual({
    text: planMessages.en.free.again(large.name),
    to: `/settings/upgrade?plan=${large.id}&interval=year`,
  });
  expect(
    againOf({ product, gate: { kind: "none" } }, { planId: "plan-of-old", interval: "month", endCause: null }),
  ).toBeNull();
  expect(
    againOf({ product, gate: { kind: "none" } }, { planId: free.id, interval: "month", endCause: null }),
  ).toBeNull();
  const gate = { kind: "plan", planId: large.id } as const;
  expect(againOf({ product, gate }, { planId: large.id, interval: "year", endCause: null })).toBeNull();
  expect(againOf({ product, gate }, { planId: large.id, interval: "year", endCause: "payment-failed" })).toEqual({
    text: planAheadMessages.en.lost.payAndContinue(large.name),
    to: `/settings/upgrade?plan=${large.id}&interval=year`,
  });
});

test.each([
  ["the bank, if it returned the payment", { dispute: "lost", lostMinor: 600 }, "returned"],
  ["nothing, if the bank returned a part of it", { dispute: "lost", lostMinor: 100 }, "other"],
  ["a refund of all of it", { state: "refunded", refundedMinor: 600 }, "refunded"],
  ["nothing, if a part was refunded", { state: "partially-refunded", refundedMinor: 100 }, "other"],
] as const)("a plan that ended names %s", (_, facts, why) => {
  const reader = { locale: "en-GB", timeZone: "UTC" };
  const ended = { planId: small.id, endedAt: Date.UTC(2026, 11, 20), endCause: null };
  const last = { ...sampleOrder({ amountMinor: 600 }), lostMinor: 0, isWithdrawn: false, ...facts };
  expect(sayEnded(product, reader, ended, [last], false)).toBe(
    planAheadMessages.en.ended[why](small.name, formatDay(ended.endedAt, reader)),
  );
});

describe("a scheduled change", () => {
  const { pending: messages } = planAheadMessages.en;
  const reader = { locale: "en-GB", timeZone: "UTC" };
  const pendingAt = Date.UTC(2026, 11, 20);
  const day = formatDay(pendingAt, reader);
  const running = {
    planId: large.id,
    interval: "year",
    pendingPlanId: null,
    pendingInterval: null,
    pendingAt: null,
    pendingMinor: null,
  } as const;
  const say = (change: object, open: Parameters<typeof sayPendingChange>[3] = null) =>
    sayPendingChange(product, reader, { ...running, currency: "EUR", ...change }, open);
  const monthly = `${price(large)} ${planMessages.en.per.month}`;

  test("to another plan names it, and can be undone", () => {
    const change = { pendingPlanId: small.id, pendingInterval: "month", pendingAt };
    expect(say(change)).toEqual({
      title: messages.title(small.name, day),
      text: messages.text(large.name, `${price(small)} ${planMessages.en.per.month}`),
      undo: upgradeMessages.en.keep(large.name),
    });
  });

  test("to another billing period of the same plan says so", () => {
    expect(say({ pendingPlanId: large.id, pendingInterval: "month", pendingAt })).toEqual({
      title: messages.titleInterval.month(day),
      text: messages.textInterval.month(monthly),
      undo: upgradeMessages.en.keepInterval.year,
    });
  });

  test("can't be undone while another change awaits payment, which has the button, and is nothing where none is scheduled", () => {
    const change = { pendingPlanId: large.id, pendingInterval: "month", pendingAt };
    const open = sampleOrder({ kind: "change", state: "pending", planId: small.id });
    expect(say(change, open)).toMatchObject({ text: messages.aside(small.name, monthly), undo: null });
    expect(say({})).toBeNull();
  });
});
