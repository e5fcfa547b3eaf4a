import { expect, test } from "vitest";
import { isRenewedAtDiscount } from "./renewals.ts";

type Plan = Parameters<typeof isRenewedAtDiscount>[0];

const item = { discounts: [], current_period_end: 200 };
const plan: Plan = {
  status: "active",
  discounts: [],
  pause_collection: null,
  cancel_at: null,
  cancel_at_period_end: false,
  start_date: 100,
  items: { data: [item] },
};
const given = { ...plan, discounts: ["di_1"] };

test.each<[string, Plan, object, boolean]>([
  ["nobody gave one", plan, {}, false],
  ["the plan has one", given, {}, true],
  ["an item has one", { ...plan, items: { data: [{ ...item, discounts: ["di_1"] }] } }, {}, true],
  ["the customer has one", plan, { discount: { id: "di_1" } }, true],
  ["the customer is gone", plan, { deleted: true }, false],
  ["a payment is due", { ...given, status: "past_due" }, {}, true],
  ["it is in its trial", { ...given, status: "trialing" }, {}, true],
  ["it ended", { ...given, status: "canceled" }, {}, false],
  ["what is invoiced stays a draft", { ...given, status: "unpaid" }, {}, false],
  ["collection is on hold", { ...given, pause_collection: { behavior: "void", resumes_at: null } }, {}, false],
  ["it ends with the period", { ...given, cancel_at_period_end: true }, {}, false],
  ["it ends on the last day of the period", { ...given, cancel_at: 200 }, {}, false],
  ["it ends some periods later", { ...given, cancel_at: 900 }, {}, true],
])(
  "the renewal amount with discounts is requested only if the plan can be charged: %s",
  (_, subscription, holder, isAsked) => {
    expect(isRenewedAtDiscount(subscription, holder)).toBe(isAsked);
  },
);
