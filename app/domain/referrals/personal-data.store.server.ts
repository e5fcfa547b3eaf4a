import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { referralLinks, referrals } from "#app/db/schema.ts";

/** What of a person stands in this room, to be taken along: who the others are, and when exactly they came, is theirs ------- */

export function listOwnLinks(db: Database, accountId: string) {
  const { code, visits, createdAt } = referralLinks;
  return db.select({ code, visits, createdAt }).from(referralLinks).where(eq(referralLinks.accountId, accountId));
}

export function listBrought(db: Database, accountId: string) {
  const { state, signedUpAt } = referrals;
  const month = sql<string>`strftime('%Y-%m', ${signedUpAt} / 1000, 'unixepoch')`;
  // In the order of their ids, which is none: the order of sign-ups would tell more than the months do.
  return db
    .select({ state, month })
    .from(referrals)
    .where(eq(referrals.referrerId, accountId))
    .orderBy(month, referrals.id);
}

/** And to be erased, when `guard` holds; who brought whom stays, since it holds ids of accounts alone ------------------------ */

export function removeLink(db: Database, accountId: string, guard: SQL) {
  return statement(db, sql`delete from ${referralLinks} where account_id = ${accountId} and ${guard}`);
}
