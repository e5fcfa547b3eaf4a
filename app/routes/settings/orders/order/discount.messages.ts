import { formatSpan } from "#app/core/time/time.ts";
import { reviewMs } from "#app/modules/referrals/eligibility.rules.ts";
import type { DiscountRefusal, DiscountReview } from "#app/modules/billing/orders/order-discount.rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** The server chooses the text (say-discount.ts). */
const en = {
  title: "Friend discount",
  expected: (amount: string, isUnderReview: boolean) =>
    [
      `If you're a new customer, we'll refund ${amount} to the payment method you used. New means that no other account has used your email address or payment method. We'll email you either way.`,
      ...(isUnderReview ? [`We're checking your sign-up first, which takes ${formatSpan(reviewMs)} at most.`] : []),
    ].join(" "),
  due: (amount: string) => `We'll refund ${amount} to the payment method you used.`,
  review: {
    "payment-method": (amount: string) =>
      `We're checking the ${amount} discount, because Stripe can't tell us whether your payment method is new. We'll email you.`,
    domain: (amount: string) =>
      `We're checking the ${amount} discount, because someone else with an address at your email domain is already a customer. We'll email you.`,
    provider: (amount: string) =>
      `We're checking the ${amount} discount, because Stripe didn't accept the refund. We'll email you.`,
  } satisfies Record<DiscountReview, (amount: string) => string>,
  refused: {
    "known-mailbox": (amount: string) =>
      `You won't get the ${amount} discount. It's for new customers, and your email address has already been used for another account.`,
    "known-method": (amount: string) =>
      `You won't get the ${amount} discount. It's for new customers, and this payment method has already been used for another account.`,
    operator: (amount: string) =>
      `You won't get the ${amount} discount: we've checked this order and it doesn't qualify.`,
    "money-back": (amount: string) => `You won't get the ${amount} discount, because the payment was returned to you.`,
    "account-erased": (amount: string) => `You won't get the ${amount} discount, because the account was closed.`,
  } satisfies Record<DiscountRefusal, (amount: string) => string>,
};

export const orderDiscountMessages: Messages<typeof en> = { en };
