import type { RefundId } from "#app/core/stripe/ids.ts";
import type { AccountId, ReferralId } from "#app/core/id.ts";
import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import {
  type DiscountRefusal,
  type DiscountReview,
  discountsBefore,
  type DiscountState,
} from "#app/modules/billing/orders/order-discount.rules.ts";
import { isWithdrawalOpen } from "#app/modules/billing/withdrawals/contract.queries.server.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export function findFirstPayment(db: Database, friendId: AccountId, currency: string) {
  const { amountMinor, refundedMinor, friendDiscountMinor, dispute, invoiceId } = orders;
  return db
    .select({
      orderId: orders.id,
      invoiceId,
      amountMinor,
      refundedMinor,
      friendDiscountMinor,
      dispute,
      isWithdrawn: isWithdrawalOpen(sql`${orders}`).mapWith(Boolean),
      createdAt: orders.createdAt,
    })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, friendId),
        isNotNull(orders.paidAt),
        eq(orders.currency, currency),
        sql`${amountMinor} > 0`,
      ),
    )
    .orderBy(orders.paidAt, orders.numberYear, orders.numberInYear)
    .limit(1);
}

export function findDiscount(db: Database, friendId: AccountId) {
  const { referralId, orderId, state, why, amountMinor, currency, createdAt, decidedAt } = friendDiscounts;
  return db
    .select({ referralId, orderId, state, why, amountMinor, currency, createdAt, decidedAt })
    .from(friendDiscounts)
    .where(eq(friendDiscounts.friendId, friendId));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export function discountIs(referralId: ReferralId, state: DiscountState): SQL {
  return sql`exists (select 1 from ${friendDiscounts} where referral_id = ${referralId} and state = ${state})`;
}

/** Stores an operator's decision about a discount under review. */
export function changeToDecided(db: Database, referralId: ReferralId, change: Change, now: number) {
  return changeDiscount(db, referralId, change, now, ["under-review"]);
}

/** Refuses a discount that is due, because an operator refused the sign-up. One that was refunded stays. */
export function refuseWithReview(db: Database, referralId: ReferralId, decision: string, now: number) {
  const { id, state, voidWhy } = referrals;
  const isRefused = sql`exists (select 1 from ${referrals} where ${id} = ${referralId} and ${state} = 'void' and ${voidWhy} = 'review')`;
  return db
    .update(friendDiscounts)
    .set({ state: "refused", why: "operator", decision, decidedAt: now })
    .where(and(eq(friendDiscounts.referralId, referralId), eq(friendDiscounts.state, "due"), isRefused));
}

type Change = { to: DiscountState; why?: DiscountReview | DiscountRefusal; decision?: string; refundId?: RefundId };

/** Changes a discount, only from states that allow it. */
export function changeDiscount(
  db: Database,
  referralId: ReferralId,
  change: Change,
  now: number,
  from: DiscountState[] = discountsBefore(change.to),
) {
  const { to, why = null, decision, refundId } = change;
  const isDecision = to === "refused" || to === "due";
  return db
    .update(friendDiscounts)
    .set({
      state: to,
      why,
      ...(decision !== undefined && { decision }),
      ...(isDecision && { decidedAt: now }),
      ...(to === "paid" && { paidAt: now, refundId: refundId ?? null }),
    })
    .where(and(eq(friendDiscounts.referralId, referralId), inArray(friendDiscounts.state, from)));
}
