import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { referralLinks, referrals } from "./schema.ts";
import { listedFriendsMax, type ReferralState } from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function findLink(db: Database, accountId: string) {
  return db.select().from(referralLinks).where(eq(referralLinks.accountId, accountId));
}

/** Which of these codes are somebody's who may refer. Whoever is leaving or gone brings nobody any more. */
export function listUsableCodes(db: Database, codes: string[]) {
  return db
    .select({ code: referralLinks.code })
    .from(referralLinks)
    .innerJoin(accounts, eq(accounts.id, referralLinks.accountId))
    .where(and(inArray(referralLinks.code, codes), eq(accounts.state, "active")));
}

/** How many friends came how far; and of a year's rewards, when the oldest of them was given. */
export function countFriends(db: Database, accountId: string, since: number) {
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
}

/** Who brought this account, if anybody did. */
export function findReferralOf(db: Database, friendId: string) {
  return db
    .select({ state: referrals.state, signedUpAt: referrals.signedUpAt })
    .from(referrals)
    .where(eq(referrals.friendId, friendId));
}

export function readReferral<Row extends { state: string }>(row: Row) {
  // The table's CHECK holds the state.
  return { ...row, state: row.state as ReferralState };
}

/** The newest friends, each by the name that they gave themselves, if they did and are here still. */
export function listFriends(db: Database, accountId: string) {
  const { state, signedUpAt, waitsUntil, voidWhy, approvedAt } = referrals;
  return db
    .select({
      name: sql<string | null>`case when ${accounts.state} = 'active' then ${accounts.name} end`.as("name"),
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
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** One link per account, while links are given; of two that are drawn at the same time the first one stays. */
export function addLink(db: Database, link: { accountId: string; code: string; now: number }, isOpen: boolean) {
  return statement(
    db,
    sql`
    insert into ${referralLinks} (account_id, code, created_at)
    select id, ${link.code}, ${link.now} from ${accounts} where id = ${link.accountId} and state = 'active' and ${isOpen ? 1 : 0} = 1
    on conflict do nothing`,
  );
}

/** Added up in the statement, so that visits at the same time all count. */
export function addVisit(db: Database, code: string) {
  return db
    .update(referralLinks)
    .set({ visits: sql`${referralLinks.visits} + 1` })
    .where(eq(referralLinks.code, code));
}
