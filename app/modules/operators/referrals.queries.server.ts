import type { AccountId, ReferralId } from "#app/core/id.ts";
import { desc, eq } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { friendDiscounts, referrals } from "#app/modules/referrals/schema.ts";
import { listedMax } from "./rules.ts";

const { id, referrerId, friendId, state, voidWhy, signedUpAt, waitsUntil } = referrals;
const facts = { id, state, voidWhy, signedUpAt, waitsUntil };

/** The friends of a referrer, newest first, each with their present address. */
export function listFriendsOf(db: Database, accountId: AccountId) {
  return db
    .select({ ...facts, friend: accounts.email })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, friendId))
    .where(eq(referrerId, accountId))
    .orderBy(desc(signedUpAt))
    .limit(listedMax);
}

/** The outcome of a decided referral. */
export function findReferralById(db: Database, referralId: ReferralId) {
  return db.select({ referrerId, friendId, state, voidWhy }).from(referrals).where(eq(id, referralId));
}

export function findReferrerOf(db: Database, accountId: AccountId) {
  return db
    .select({ ...facts, referrer: accounts.email })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, referrerId))
    .where(eq(friendId, accountId));
}

/** The account's discount as a friend; operators decide on it by its referral. */
export function findDiscountOf(db: Database, accountId: AccountId) {
  const { referralId, orderId, amountMinor, currency, why, createdAt, decidedAt, paidAt } = friendDiscounts;
  return db
    .select({
      id: referralId,
      orderId,
      state: friendDiscounts.state,
      why,
      amountMinor,
      currency,
      createdAt,
      decidedAt,
      paidAt,
    })
    .from(friendDiscounts)
    .where(eq(friendDiscounts.friendId, accountId));
}
