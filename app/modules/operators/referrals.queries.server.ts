import { desc, eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { friendDiscounts, referrals } from "#app/modules/referrals/schema.ts";
import { listedMax } from "./rules.ts";

const { id, referrerId, friendId, state, voidWhy, signedUpAt, waitsUntil } = referrals;
const facts = { id, state, voidWhy, signedUpAt, waitsUntil };

/** Whom an account brought, newest first, each by the address that it has now. */
export function listFriendsOf(db: Database, accountId: string) {
  return db
    .select({ ...facts, friend: accounts.email })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, friendId))
    .where(eq(referrerId, accountId))
    .orderBy(desc(signedUpAt))
    .limit(listedMax);
}

/** What became of one that was decided. */
export function findReferralById(db: Database, referralId: string) {
  return db.select({ referrerId, friendId, state, voidWhy }).from(referrals).where(eq(id, referralId));
}

/** Who brought it, if anybody did. */
export function findReferrerOf(db: Database, accountId: string) {
  return db
    .select({ ...facts, referrer: accounts.email })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, referrerId))
    .where(eq(friendId, accountId));
}

/** The discount that it has as a friend; a decision names it by its referral. */
export function findDiscountOf(db: Database, accountId: string) {
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
