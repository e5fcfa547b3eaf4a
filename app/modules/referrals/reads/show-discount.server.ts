import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import type { OrderDetail } from "#app/modules/billing/history/reads/show-order.server.ts";
import { findFriendship } from "#app/modules/billing/history/browse.queries.server.ts";
import { type OrderDiscount, readOrderDiscount } from "#app/modules/billing/orders/order-discount.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { expectedDiscount } from "../discount.rules.ts";

/** The friend's discount on this order, for the page after the payment. */
export async function showDiscount(
  { db, product }: Pick<App, "db" | "product">,
  accountId: AccountId,
  order: Order,
): Promise<OrderDiscount | null> {
  const [friendship = null] = await findFriendship(db, order.id, accountId);
  return readFriendship(product, order, friendship);
}

/**
 * What pages say about the friend's discount. Null if there is none, or if it was already refunded. The customer returns before the
 * discount is opened, so until then the page shows the expected one.
 */
export function readFriendship(
  { referral: { friendDiscountMinor }, currency }: App["product"],
  order: Order,
  friendship: OrderDetail["friendship"],
): OrderDiscount | null {
  if (!friendship) return null;
  const { discountOrderId, discountState, why, amountMinor, isFirst, referralState, signedUpAt, voidWhy } = friendship;
  if (discountState !== null) {
    const row = { state: discountState, why, amountMinor: amountMinor ?? 0, currency: friendship.currency ?? currency };
    return discountOrderId === order.id ? readOrderDiscount(row) : null;
  }
  if (!isFirst || order.currency !== currency) return null;
  // A withdrawal delays the refund, but doesn't change whether one is expected.
  const first = { ...order, orderId: order.id, isWithdrawn: false };
  const { refusal, ...expected } = expectedDiscount(
    { referral: { state: referralState, signedUpAt, voidWhy }, first },
    friendDiscountMinor,
  );
  if (refusal) return { amountMinor: expected.amountMinor, currency, state: "refused", why: refusal };
  return expected.amountMinor > 0 ? { ...expected, currency, state: "expected" } : null;
}
