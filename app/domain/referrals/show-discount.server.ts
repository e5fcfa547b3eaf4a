import type { App } from "#app/context.ts";
import { type OrderDiscount, readOrderDiscount } from "#app/domain/orders/order-discount.rules.ts";
import { expectedDiscount } from "./discount.rules.ts";
import { findDiscount, findFirstPayment } from "./discounts.store.server.ts";
import { findReferralOf, readReferral } from "./store.server.ts";

/**
 * A friend's discount for this order of theirs, as its page and the page after the payment show it; null: none, or it is paid. The
 * browser is back before the discount is opened, so that until then it says what can be expected.
 */
export async function showDiscount(
  { db, product }: Pick<App, "db" | "product">,
  accountId: string,
  orderId: string,
): Promise<OrderDiscount | null> {
  const [[discount], referrals, [first]] = await db.batch([
    findDiscount(db, accountId),
    findReferralOf(db, accountId),
    findFirstPayment(db, accountId, product.currency),
  ]);
  if (discount) return discount.orderId === orderId ? readOrderDiscount(discount) : null;
  const [referral] = referrals.map(readReferral);
  if (!referral || first?.orderId !== orderId) return null;
  const expected = expectedDiscount({ referral, first }, product.referral.friendDiscountMinor);
  return expected.amountMinor > 0 ? { ...expected, currency: product.currency, state: "expected" } : null;
}
