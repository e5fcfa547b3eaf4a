import type { App } from "#app/context.ts";
import { findPaidOrder } from "#app/domain/orders/store.server.ts";
import { runningSubscription, type Subscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { discountOf } from "./rules.ts";
import { findReferralOf } from "./store.server.ts";

/** How somebody stands who is about to buy: the plan that runs, and what a friend's link takes off the first payment. */
export async function findStanding(
  app: Pick<App, "db" | "clock" | "product">,
  accountId: string,
): Promise<{ running: Subscription | null; discountMinor: number }> {
  const [subscriptions, referrals, paid] = await app.db.batch([
    listSubscriptions(app.db, accountId),
    findReferralOf(app.db, accountId),
    findPaidOrder(app.db, accountId),
  ]);
  const [referral] = referrals;
  const isWaiting = referral !== undefined && paid.length === 0;
  return {
    running: runningSubscription(subscriptions.map(readSubscription)),
    discountMinor: isWaiting ? discountOf(referral, app.product.referral, app.clock()) : 0,
  };
}
