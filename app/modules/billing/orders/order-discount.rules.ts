/**
 * The states of a friend's discount, which is refunded to the payment method of a paid order, and what the order's page says about it.
 * Invariant: only the referrals module decides; orders show the result. Called from both.
 */

export const discountStates = ["under-review", "due", "paid", "refused"] as const;
export type DiscountState = (typeof discountStates)[number];

/** The transitions of a discount. Due again after a review: an operator approved it, or the refund that Stripe refused is retried. */
const discountTransitions: Record<DiscountState, readonly DiscountState[]> = {
  "under-review": ["due", "paid", "refused"],
  due: ["paid", "under-review", "refused"],
  paid: [],
  refused: [],
};

/** The states from which a discount can reach `to`: for the WHERE of its statement. */
export function discountsBefore(to: DiscountState): DiscountState[] {
  return discountStates.filter((from) => discountTransitions[from].includes(to));
}

/**
 * Why an operator reviews it: the payment method can't be compared, it is the second friend of one email domain, or Stripe refused the
 * refund.
 */
export const discountReviews = ["payment-method", "domain", "provider"] as const;
export type DiscountReview = (typeof discountReviews)[number];

/**
 * Why it was refused: the mailbox or payment method belongs to an earlier account, an operator's decision, the payment was refunded, or
 * the account was erased.
 */
export const discountRefusals = ["known-mailbox", "known-method", "operator", "money-back", "account-erased"] as const;
export type DiscountRefusal = (typeof discountRefusals)[number];

/** What an order's page says about a discount that isn't refunded yet. */
export type OrderDiscount = { amountMinor: number; currency: string } &
  /** `expected` means undecided. `isUnderReview` says whether an operator reviews the sign-up first. */
  (
    | { state: "expected"; isUnderReview: boolean }
    | { state: "due" }
    | { state: "under-review"; why: DiscountReview }
    | { state: "refused"; why: DiscountRefusal }
  );

/** Null if there is none, it is already refunded, or there is nothing to give. */
export function readOrderDiscount(
  row: { state: string; why: string | null; amountMinor: number; currency: string } | undefined,
): OrderDiscount | null {
  if (!row || row.amountMinor === 0) return null;
  const { amountMinor, currency } = row;
  if (row.state === "due") return { amountMinor, currency, state: "due" };
  const review = discountReviews.find((known) => known === row.why);
  if (row.state === "under-review" && review) return { amountMinor, currency, state: "under-review", why: review };
  const refusal = discountRefusals.find((known) => known === row.why);
  return row.state === "refused" && refusal ? { amountMinor, currency, state: "refused", why: refusal } : null;
}
