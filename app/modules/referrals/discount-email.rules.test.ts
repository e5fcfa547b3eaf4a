import { expect, test } from "vitest";
import { discountRefusals, discountReviews } from "#app/modules/billing/orders/order-discount.rules.ts";
import { writeDiscountEmail } from "./discount-email.rules.ts";

type Facts = Parameters<typeof writeDiscountEmail>[2];

const facts = { orderId: "ord_first", amountMinor: 500, currency: "EUR" } as const;
const write = (state: Facts["state"], why: Facts["why"], locale = "en-GB") =>
  writeDiscountEmail({ origin: "https://site.example" }, { locale }, { ...facts, state, why });
const details = { amount: "€5.00", url: "https://site.example/settings/orders/ord_first" };

test.each(discountReviews)("a friend whose discount is reviewed because of %s is emailed, with the reason", (why) => {
  expect(write("under-review", why)).toEqual({ template: "friend-discount-review", why, ...details });
});

test.each(["known-mailbox", "known-method", "operator"] as const)(
  "a friend whose discount was refused because of %s is emailed, with the reason",
  (why) => {
    expect(write("refused", why)).toEqual({ template: "friend-discount-refused", why, ...details });
  },
);

test.each(["money-back", "account-erased"] as const)("a discount that ended with %s causes no email", (why) => {
  expect(write("refused", why)).toBeNull();
});

test.each([...discountReviews, ...discountRefusals, null])(
  "a discount that is due or paid, with the reason %s, causes no email besides the refund's own",
  (why) => {
    expect([write("due", why), write("paid", why)]).toEqual([null, null]);
  },
);

test("a reason of a refusal causes no email about a review, and vice versa", () => {
  expect(discountRefusals.map((why) => write("under-review", why))).toEqual(discountRefusals.map(() => null));
  expect(discountReviews.map((why) => write("refused", why))).toEqual(discountReviews.map(() => null));
  expect([write("under-review", null), write("refused", null)]).toEqual([null, null]);
});

test("the amount is formatted for the friend's account", () => {
  expect(write("refused", "operator", "de-DE")?.amount).toBe("5,00\u00a0€");
});
