import type { App } from "#app/context.ts";
import { findPaidOrder } from "#app/domain/orders/store.server.ts";
import { runningSubscription, type Subscription } from "#app/domain/plans/rules.ts";
import { findCustomer, listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { discountOf } from "./rules.ts";
import { findReferralOf } from "./store.server.ts";

/** How somebody stands who is about to buy: the plan that runs, and what a friend's link and credit take off the first payment. */
export async function findStanding(
  app: Pick<App, "db" | "clock" | "product">,
  accountId: string,
): Promise<{ running: Subscription | null; discountMinor: number; creditMinor: number }> {
  const [subscriptions, referrals, paid, customers] = await app.db.batch([
    listSubscriptions(app.db, accountId),
    findReferralOf(app.db, accountId),
    findPaidOrder(app.db, accountId),
    findCustomer(app.db, accountId),
  ]);
  const [referral] = referrals;
  const isWaiting = referral !== undefined && paid.length === 0;
  return {
    running: runningSubscription(subscriptions.map(readSubscription)),
    discountMinor: isWaiting ? discountOf(referral, app.product.referral, app.clock()) : 0,
    creditMinor: customers[0]?.creditMinor ?? 0,
  };
}
