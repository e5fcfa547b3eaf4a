import type { DiscountRefusal, DiscountReview } from "#app/modules/orders/order-discount.rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Friend discount",
  expected: (amount: string, isReviewed: boolean) =>
    [
      `${amount} goes back to the payment method you used, if you're a new customer: neither your mailbox nor the payment method has been used by another account. We'll email you.`,
      ...(isReviewed ? ["We're checking your sign-up first, which takes a week at most."] : []),
    ].join(" "),
  due: (amount: string) => `${amount} goes back to the payment method you used.`,
  review: {
    "payment-method": (amount: string) =>
      `We're checking the discount of ${amount}: Stripe doesn't tell us enough about your payment method to see that it's new. A person decides; we'll email you.`,
    domain: (amount: string) =>
      `We're checking the discount of ${amount}: your email address is at a domain where one person can have many addresses. A person decides; we'll email you.`,
    provider: (amount: string) =>
      `We're checking the discount of ${amount}: Stripe didn't accept the refund. We're finding out why and will email you.`,
  } satisfies Record<DiscountReview, (amount: string) => string>,
  refused: {
    "known-mailbox": "It's for new customers. Another account has used your mailbox before.",
    "known-method": "It's for new customers. Another account has paid with this payment method before.",
    operator: "We looked at it and decided that this order doesn't qualify.",
    "money-back": "It ended because the payment went back.",
    gone: "It ended with the account.",
  } satisfies Record<DiscountRefusal, string>,
};

export const orderDiscountMessages: Messages<typeof en> = { en };
