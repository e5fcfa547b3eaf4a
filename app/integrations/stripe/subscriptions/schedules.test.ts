import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { readScheduledChange } from "./schedules.ts";

const month = 30 * 86_400;

/** A schedule as the dashboard creates it: a phase of a month for each plan, the first being current. */
function scheduleOf(...plans: string[]): Stripe.SubscriptionSchedule {
  const phases = plans.map((plan, index) => ({
    start_date: index * month,
    end_date: (index + 1) * month,
    items: [
      {
        price: { id: `price_${plan}`, metadata: { plan }, unit_amount: 600, recurring: { interval: "month" } },
        quantity: 2,
      },
    ],
  }));
  const schedule = { subscription: "sub_1", current_phase: { start_date: 0, end_date: month }, phases };
  // Only the fields that are read; Stripe's whole schedule has forty.
  return schedule as unknown as Stripe.SubscriptionSchedule;
}

describe("a schedule", () => {
  test("of one phase changes nothing", () => {
    expect(readScheduledChange(scheduleOf("large"))).toEqual([]);
  });

  test("plans the next phase and ignores later ones", () => {
    const change = {
      subscriptionId: "sub_1",
      planId: "small",
      interval: "month",
      priceId: "price_small",
      amountMinor: 1200,
      startsAt: month * 1000,
      deferredFor: null,
    };
    expect(readScheduledChange(scheduleOf("large", "small"))).toEqual([change]);
    expect(readScheduledChange(scheduleOf("large", "small", "large"))).toEqual([change]);
  });

  test("skips phases that sell the same plan, and returns when a different one begins", () => {
    const change = {
      subscriptionId: "sub_1",
      planId: "small",
      interval: "month",
      priceId: "price_small",
      amountMinor: 1200,
      startsAt: 2 * month * 1000,
      deferredFor: null,
    };
    expect(readScheduledChange(scheduleOf("large", "large", "small"))).toEqual([change]);
    expect(readScheduledChange(scheduleOf("large", "large", "large"))).toEqual([]);
  });

  test("that has ended or not yet begun plans nothing", () => {
    expect(readScheduledChange({ ...scheduleOf("large", "small"), current_phase: null })).toEqual([]);
    expect(readScheduledChange({ ...scheduleOf("large", "small"), subscription: null })).toEqual([]);
  });
});
