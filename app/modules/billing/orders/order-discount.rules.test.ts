import { describe, expect, test } from "vitest";
import {
  discountRefusals,
  discountReviews,
  discountsBefore,
  discountStates,
  readOrderDiscount,
} from "./order-discount.rules.ts";

const money = { amountMinor: 500, currency: "EUR" };
const read = (state: string, why: string | null = null) => readOrderDiscount({ ...money, state, why });

describe("an order's page", () => {
  test("says that a discount is due, whatever the reason of an earlier review", () => {
    expect(read("due")).toEqual({ ...money, state: "due" });
    expect(read("due", "provider")).toEqual({ ...money, state: "due" });
  });

  test.each(discountReviews)(
    "says that a discount is under review because of %s, which is no reason for a refusal",
    (why) => {
      expect(read("under-review", why)).toEqual({ ...money, state: "under-review", why });
      expect(read("refused", why)).toBeNull();
    },
  );

  test.each(discountRefusals)(
    "says that a discount was refused because of %s, which is no reason for a review",
    (why) => {
      expect(read("refused", why)).toEqual({ ...money, state: "refused", why });
      expect(read("under-review", why)).toBeNull();
    },
  );

  test.each<[what: string, row: Parameters<typeof readOrderDiscount>[0]]>([
    ["without one", undefined],
    ["that is refunded: the refund says it", { ...money, state: "paid", why: null }],
    ["of nothing", { ...money, amountMinor: 0, state: "due", why: null }],
    ["of nothing that was refused", { ...money, amountMinor: 0, state: "refused", why: "operator" }],
    ["under review for no reason", { ...money, state: "under-review", why: null }],
    ["refused for a reason that this release doesn't know", { ...money, state: "refused", why: "weather" }],
    ["in a state that this release doesn't know", { ...money, state: "lent", why: "operator" }],
  ])("mentions no discount %s", (_what, row) => {
    expect(readOrderDiscount(row)).toBeNull();
  });

  test("shows the smallest possible amount", () => {
    expect(readOrderDiscount({ ...money, amountMinor: 1, state: "due", why: null })).toMatchObject({ amountMinor: 1 });
  });
});

describe("a discount", () => {
  test.each(["paid", "refused"] as const)("that is %s stays so", (end) => {
    expect(discountStates.filter((to) => discountsBefore(to).includes(end))).toEqual([]);
  });

  test.each(["paid", "refused"] as const)("can be %s before and after a review, once", (end) => {
    expect(discountsBefore(end).toSorted()).toEqual(["due", "under-review"]);
  });

  test("is due again after a review, and can be reviewed again", () => {
    expect([discountsBefore("due"), discountsBefore("under-review")]).toEqual([["under-review"], ["due"]]);
  });
});
