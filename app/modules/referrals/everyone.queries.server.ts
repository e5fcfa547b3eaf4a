/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, eq, gte, or, sql, count, inArray } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { codes } from "#app/modules/accounts/codes/schema.ts";
import { referralLinks, referrals, referralTouches, friendDiscounts } from "./schema.ts";
import type { Earlier } from "./attribution.queries.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { announcedVoidReasons } from "./discount.rules.ts";
import { retainedBy, type Terms } from "./retained-payments.queries.server.ts";

/**
 * For the cron job: yesterday's and today's sign-ups (as long as their used code is stored) that may have a referrer, or be one, without
 * a referral row. In random order, so that those that lead to nothing don't delay the others.
 */
export function listUnattributed(db: Database, earlier: Earlier, limit: number) {
  const code = sql<string | null>`json_extract(${codes.carried}, '$.referralCode')`;
  const isUnattributed = sql`not exists (select 1 from ${referrals} r where r.friend_id = ${accounts.id})`;
  const address = sql`${accounts.emailCanonical}`;
  const hasReferrer = sql`exists (select 1 from ${referralLinks} link where link.code = ${code})
    or exists (select 1 from ${earlier.requestsOf(address)} request where brought_by is not null
      or exists (select 1 from ${referralTouches} touch where touch.entry_id = request.id))`;
  const hasReferred = sql`exists (
    select 1 from ${earlier.broughtBy(address)} brought join ${accounts} friend on friend.email_canonical = brought.address
    left join ${referrals} known on known.friend_id = friend.id
    where known.id is null and friend.state = 'active')`;
  return db
    .select({ friendId: accounts.id, code })
    .from(codes)
    .innerJoin(accounts, and(eq(accounts.emailCanonical, codes.address), gte(accounts.createdAt, codes.createdAt)))
    .where(
      and(
        sql`${codes.purpose} = 'sign-up' and ${codes.state} = 'used'`,
        or(and(isUnattributed, sql`(${hasReferrer})`), hasReferred),
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

/** For operators: discounts under review, oldest first. */
export function listDiscountsUnderReview(db: Database, after: Cursor | null, limit: number) {
  const { referralId, friendId, orderId, why, amountMinor, currency, createdAt } = friendDiscounts;
  return db
    .select({
      id: referralId,
      friendId,
      friend: accounts.email,
      referrerId: referrals.referrerId,
      orderId,
      why,
      amountMinor,
      currency,
      createdAt,
    })
    .from(friendDiscounts)
    .innerJoin(accounts, eq(accounts.id, friendId))
    .innerJoin(referrals, eq(referrals.id, referralId))
    .where(and(eq(friendDiscounts.state, "under-review"), isAfter([createdAt, referralId], after)))
    .orderBy(createdAt, referralId)
    .limit(limit);
}

export function countDiscountsUnderReview(db: Database) {
  return db.select({ count: count() }).from(friendDiscounts).where(eq(friendDiscounts.state, "under-review"));
}

/** For the cron job: friends whose discount is due, in random order. */
export function listDiscountsDue(db: Database, limit: number) {
  return db
    .select({ friendId: friendDiscounts.friendId })
    .from(friendDiscounts)
    .where(sql`${friendDiscounts.state} = 'due'`)
    .orderBy(sql`random()`)
    .limit(limit);
}

/** For operators: sign-ups held because of a burst, longest waiting first. */
export function listReferralsUnderReview(db: Database, after: Cursor | null, limit: number) {
  const referrer = sql`(select email from ${accounts} where id = ${referrals.referrerId})`;
  return db
    .select({
      id: referrals.id,
      referrerId: referrals.referrerId,
      referrer: sql<string>`${referrer}`.as("referrer"),
      friendId: referrals.friendId,
      friend: sql<string>`${accounts.email}`.as("friend"),
      signedUpAt: referrals.signedUpAt,
      waitsUntil: referrals.waitsUntil,
    })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, referrals.friendId))
    .where(and(eq(referrals.state, "under-review"), isAfter([referrals.waitsUntil, referrals.id], after)))
    .orderBy(referrals.waitsUntil, referrals.id)
    .limit(limit);
}

export function countReferralsUnderReview(db: Database) {
  return db.select({ count: count() }).from(referrals).where(eq(referrals.state, "under-review"));
}

/** For the cron job: friends whose referral is due by time, in random order, so that one waiting for a bank doesn't delay the others. */
export function listDueRewards(db: Database, now: number, limit: number) {
  return db
    .select({ friendId: referrals.friendId })
    .from(referrals)
    .where(
      sql`${referrals.state} = 'qualified'
        or (${referrals.state} in ('signed-up', 'waiting', 'under-review') and ${referrals.waitsUntil} <= ${now})`,
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

/** For the cron job: friends whose orders changed since, and whose referral doesn't reflect their payments. */
export function listOvertaken(db: Database, since: number, terms: Terms, limit: number) {
  const retained = retainedBy(referrals.friendId, terms.currency);
  const isFirstPaid = sql`${orders.paidAt} is not null and ${orders.amountMinor} > 0 and ${friendDiscounts.referralId} is null`;
  return db
    .selectDistinct({ friendId: referrals.friendId })
    .from(orders)
    .innerJoin(referrals, eq(referrals.friendId, orders.accountId))
    .leftJoin(friendDiscounts, eq(friendDiscounts.referralId, referrals.id))
    .where(
      and(
        sql`${orders.updatedAt} >= ${since}`,
        sql`case ${referrals.state}
          when 'signed-up' then ${retained} >= ${terms.qualifyingMinor}
            or (${isFirstPaid})
          when 'void' then ${inArray(referrals.voidWhy, [...announcedVoidReasons])} and ${isFirstPaid}
          when 'under-review' then 0
          else ${retained} < ${terms.qualifyingMinor} end`,
      ),
    )
    .limit(limit);
}

/** For the cron job: referrers with counting friends who paid recently, in order of payment. */
export function listPayers(db: Database, after: number, until: number, limit: number) {
  const lastAt = sql<number>`max(${orders.updatedAt})`;
  return db
    .select({ accountId: orders.accountId, lastAt })
    .from(orders)
    .where(
      sql`${orders.updatedAt} > ${after} and ${orders.updatedAt} <= ${until} and ${orders.paidAt} is not null
        and exists (select 1 from ${referrals} where referrer_id = ${orders.accountId} and state in ('waiting', 'approved')
          and cards is not null)`,
    )
    .groupBy(orders.accountId)
    .orderBy(lastAt)
    .limit(limit);
}
