/**
 * The states of a friend's discount, which goes back to the payment method of an order once it is paid, and what an order's page says of it.
 * Decided by the referrals module; shown with the order.
 */

export type DiscountState = "under-review" | "due" | "paid" | "refused";

/** Where a discount may go. Due again after a review: the operator's word, or another try where the provider refused. */
export const discountMoves: Record<DiscountState, readonly DiscountState[]> = {
  "under-review": ["due", "paid", "refused"],
  due: ["paid", "under-review", "refused"],
  paid: [],
  refused: [],
};

/** States of a friend's discount. */
export const discountStates = Object.keys(discountMoves) as DiscountState[];

/** The states from which a discount may come to `to`: the WHERE of the statement that moves it. */
export function discountsBefore(to: DiscountState): DiscountState[] {
  return discountStates.filter((from) => discountMoves[from].includes(to));
}

/** Why an operator has to look: the method can't be told from others, a second friend of one domain, the provider refused the refund. */
export const discountReviews = ["payment-method", "domain", "provider"] as const;
export type DiscountReview = (typeof discountReviews)[number];

/** Why there is none: an account had this mailbox or paid by this method before, an operator's word, the payment went back, the account is gone. */
export const discountRefusals = ["known-mailbox", "known-method", "operator", "money-back", "gone"] as const;
export type DiscountRefusal = (typeof discountRefusals)[number];

/** What an order's page says of a discount that isn't paid. */
export type OrderDiscount = { amountMinor: number; currency: string } &
  /** Nothing is decided so far; `isReviewed`: an operator looks at the sign-up first. */
  (
    | { state: "expected"; isReviewed: boolean }
    | { state: "due" }
    | { state: "under-review"; why: DiscountReview }
    | { state: "refused"; why: DiscountRefusal }
  );

/** Null: none, or it is paid, or there was nothing to give. */
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
