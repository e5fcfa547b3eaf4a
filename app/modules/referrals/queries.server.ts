import type { AccountId } from "#app/core/id.ts";
import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { referralLinks, referrals } from "./schema.ts";
import { listedFriendsMax, type ReferralState } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export const findLink = prepared((db: Database, accountId: AccountId) =>
  db.select().from(referralLinks).where(eq(referralLinks.accountId, accountId)),
);

/** The codes of accounts that can refer; closed and erased ones can't. */
export function listUsableCodes(db: Database, codes: string[]) {
  return db
    .select({ code: referralLinks.code })
    .from(referralLinks)
    .innerJoin(accounts, eq(accounts.id, referralLinks.accountId))
    .where(and(inArray(referralLinks.code, codes), eq(accounts.state, "active")));
}

/** Counts friends by state, and finds when the oldest of a year's rewards was given. */
export const countFriends = prepared((db: Database, accountId: AccountId, since: number) => {
  const { state, approvedAt } = referrals;
  const among = (...states: ReferralState[]) => sql<number>`count(case when ${inArray(state, states)} then 1 end)`;
  const ofYear = sql`case when ${state} = 'approved' and ${approvedAt} > ${since} then ${approvedAt} end`;
  return db
    .select({
      signedUp: count(),
      paid: among("qualified", "waiting", "approved").as("paid"),
      waiting: among("qualified", "waiting").as("waiting"),
      credited: among("approved").as("credited"),
      ofYear: sql<number>`count(${ofYear})`.as("of_year"),
      oldestOfYear: sql<number | null>`min(${ofYear})`.as("oldest_of_year"),
    })
    .from(referrals)
    .where(eq(referrals.referrerId, accountId));
});

export const findReferralOf = prepared((db: Database, friendId: AccountId) =>
  db
    .select({ state: referrals.state, signedUpAt: referrals.signedUpAt })
    .from(referrals)
    .where(eq(referrals.friendId, friendId)),
);

/** The newest friends, with nothing of their name or address but the first letter, and not even that of a closed account. */
export const listFriends = prepared((db: Database, accountId: AccountId) => {
  const { state, signedUpAt, waitsUntil, voidWhy, approvedAt } = referrals;
  return db
    .select({
      initial: sql<string | null>`case when ${accounts.state} = 'active'
        then substr(coalesce(nullif(trim(${accounts.name}), ''), ${accounts.email}), 1, 1) end`.as("initial"),
      state,
      signedUpAt,
      waitsUntil,
      voidWhy,
      approvedAt,
    })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, referrals.friendId))
    .where(eq(referrals.referrerId, accountId))
    .orderBy(desc(signedUpAt), referrals.id)
    .limit(listedFriendsMax);
});

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** One link per account, while referrals are on; of two that are created at the same time, the first one stays. */
export function addLink(db: Database, link: { accountId: AccountId; code: string; now: number }, isOpen: boolean) {
  return statement(
    db,
    sql`
    insert into ${referralLinks} (account_id, code, created_at)
    select id, ${link.code}, ${link.now} from ${accounts} where id = ${link.accountId} and state = 'active' and ${isOpen ? 1 : 0} = 1
    on conflict do nothing`,
  );
}

/** Incremented in the statement, so that concurrent visits all count. */
export function addVisit(db: Database, code: string) {
  return db
    .update(referralLinks)
    .set({ visits: sql`${referralLinks.visits} + 1` })
    .where(eq(referralLinks.code, code));
}
