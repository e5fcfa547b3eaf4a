/** What a friend is emailed about a discount that is looked at or refused. Called by what opens, refuses and decides it. */
import { formatMoney } from "#app/core/money/money.ts";
import type { DiscountRefusal, DiscountReview, DiscountState } from "#app/modules/orders/order-discount.rules.ts";

type Told = {
  orderId: string;
  state: DiscountState;
  why: DiscountReview | DiscountRefusal | null;
  amountMinor: number;
  currency: string;
};

/** Null: nothing is said of it by email, or its refund says it. */
export function writeDiscountLetter(
  { origin }: { origin: string },
  { locale }: { locale: string },
  { state, why, orderId, ...amount }: Told,
) {
  const facts = { amount: formatMoney(amount, locale), url: `${origin}/settings/orders?order=${orderId}` };
  if (state === "under-review" && (why === "payment-method" || why === "domain" || why === "provider")) {
    return { template: "friend-discount-review", why, ...facts } as const;
  }
  const isJudged = why === "known-mailbox" || why === "known-method" || why === "operator";
  return state === "refused" && isJudged ? ({ template: "friend-discount-refused", why, ...facts } as const) : null;
}
