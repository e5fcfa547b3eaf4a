import type { DiscountRefusal, DiscountReview } from "#app/modules/orders/order-discount.rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Friend discount",
  expected: (amount: string, isUnderReview: boolean) =>
    [
      `We'll refund ${amount} to the payment method you used if you're a new customer, which means no other account has used your mailbox or payment method. We'll email you.`,
      ...(isUnderReview ? ["We're checking your sign-up first, which takes a week at most."] : []),
    ].join(" "),
  due: (amount: string) => `We'll refund ${amount} to the payment method you used.`,
  review: {
    "payment-method": (amount: string) =>
      `We're checking the discount of ${amount}: Stripe doesn't tell us enough about your payment method to know that it's new. One of us will decide and email you.`,
    domain: (amount: string) =>
      `We're checking the discount of ${amount}: one person can have many addresses at the domain of your email. One of us will decide and email you.`,
    provider: (amount: string) =>
      `We're checking the discount of ${amount}: Stripe didn't accept the refund. We'll find out why and email you.`,
  } satisfies Record<DiscountReview, (amount: string) => string>,
  refused: {
    "known-mailbox": (amount: string) =>
      `You don't get the discount of ${amount}: it's for new customers, and another account has used your mailbox before.`,
    "known-method": (amount: string) =>
      `You don't get the discount of ${amount}: it's for new customers, and another account has paid with this payment method before.`,
    operator: (amount: string) =>
      `You don't get the discount of ${amount}: we've checked this order and it doesn't qualify.`,
    "money-back": (amount: string) =>
      `You don't get the discount of ${amount}, because the payment was returned to you.`,
    gone: (amount: string) => `You don't get the discount of ${amount}, because the account was closed.`,
  } satisfies Record<DiscountRefusal, (amount: string) => string>,
};

export const orderDiscountMessages: Messages<typeof en> = { en };
