import type { DiscountRefusal, DiscountReview } from "#app/modules/orders/order-discount.rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** Chosen on the server (say-discount.ts). */
const en = {
  title: "Friend discount",
  expected: (amount: string, isUnderReview: boolean) =>
    [
      `We'll refund ${amount} to the payment method you used. It's for new customers only: neither your email address nor your payment method may have been used for another account. We'll email you.`,
      ...(isUnderReview ? ["We're checking your sign-up first, which takes a week at most."] : []),
    ].join(" "),
  due: (amount: string) => `We'll refund ${amount} to the payment method you used.`,
  review: {
    "payment-method": (amount: string) =>
      `We're checking the ${amount} discount: Stripe doesn't tell us enough about your payment method to know that it's new. One of us will decide and email you.`,
    domain: (amount: string) =>
      `We're checking the ${amount} discount: another customer's email address is at the same domain as yours. One of us will decide and email you.`,
    provider: (amount: string) =>
      `We're checking the ${amount} discount: Stripe didn't accept the refund. We'll find out why and email you.`,
  } satisfies Record<DiscountReview, (amount: string) => string>,
  refused: {
    "known-mailbox": (amount: string) =>
      `You won't get the ${amount} discount. It's for new customers, and your email address has already been used for another account.`,
    "known-method": (amount: string) =>
      `You won't get the ${amount} discount. It's for new customers, and this payment method has already been used for another account.`,
    operator: (amount: string) =>
      `You won't get the ${amount} discount: we've checked this order and it doesn't qualify.`,
    "money-back": (amount: string) => `You won't get the ${amount} discount, because the payment was returned to you.`,
    gone: (amount: string) => `You won't get the ${amount} discount, because the account was closed.`,
  } satisfies Record<DiscountRefusal, (amount: string) => string>,
};

export const orderDiscountMessages: Messages<typeof en> = { en };
