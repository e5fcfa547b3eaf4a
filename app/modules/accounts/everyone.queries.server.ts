/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, lt, ne, eq, inArray, isNotNull, lte, not, or, type SQL, sql, isNull } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { activities, accounts, customerHashes, sessions } from "./schema.ts";
import { activityRetentionMs } from "./activities.rules.ts";
import { addressChanges, deletedAddresses, formerAddresses } from "./addresses.schema.ts";
import { addressChangeRetentionMs } from "./address-change.rules.ts";
import { sessionIdleMs } from "./rules.ts";

/** For the cron job. */
export function removeOldActivities(db: Database, now: number) {
  return db
    .delete(activities)
    .where(and(lt(activities.happenedAt, now - activityRetentionMs), ne(activities.what, "signed-up")));
}

/** For the cron job: changes that can't be reverted and whose links no longer need an explanation. */
export function removeOldAddressChanges(db: Database, now: number) {
  return db.delete(addressChanges).where(lt(addressChanges.changedAt, now - addressChangeRetentionMs));
}

/**
 * Leases accounts whose restore period has ended; from here on they can't be restored. An account that couldn't be erased is leased again,
 * after those that were never tried or tried longest ago, so that it doesn't delay the others. `isHeld`: accounts whose erasure must not
 * begin yet.
 */
export function beginErasures(db: Database, now: number, limit: number, isHeld: SQL) {
  const due = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.state, "closed"),
        lte(accounts.restorableUntil, now),
        or(isNotNull(accounts.erasureAt), not(isHeld)),
      ),
    )
    .orderBy(sql`${accounts.erasureAt} asc nulls first`, accounts.restorableUntil)
    .limit(limit);
  return db
    .update(accounts)
    .set({ erasureAt: now })
    .where(inArray(accounts.id, due))
    .returning({ id: accounts.id, email: accounts.email, address: accounts.emailCanonical });
}

/** Accounts whose mailbox isn't hashed yet, oldest first. */
export function listUnhashedMailboxes(db: Database, limit: number) {
  return db
    .select({ id: accounts.id, address: accounts.emailCanonical, createdAt: accounts.createdAt })
    .from(accounts)
    .where(sql`${accounts.mailboxHashedAt} is null and ${accounts.state} <> 'erased'`)
    .orderBy(accounts.createdAt)
    .limit(limit);
}

/**
 * Removes hashes that nothing is compared with any more, a limited number at a time. Their accounts count as not hashed, so that a team that
 * offers something to new customers again has them all.
 */
export function removeHashes(db: Database, limit: number) {
  return [
    statement(db, sql`update ${accounts} set mailbox_hashed_at = null where id in ${hashOwners(limit)}`),
    statement(db, sql`delete from ${customerHashes} where hash in ${firstHashes(limit)}`),
    statement(
      db,
      sql`delete from ${deletedAddresses} where address_hash in (
        select address_hash from ${deletedAddresses} where address_hash > '' order by address_hash limit ${limit})`,
    ),
  ] as const;
}

/** The accounts of the hashes that `removeHashes` removes next. */
export function hashOwners(limit: number): SQL {
  return sql`(select account_id from ${customerHashes} where hash in ${firstHashes(limit)})`;
}

function firstHashes(limit: number): SQL {
  return sql`(select hash from ${customerHashes} where hash > '' order by hash limit ${limit})`;
}

/** For the cron job: rows stored before there was a search hash. */
export function listUnhashed(db: Database, limit: number) {
  const { id, sealed, leftAt } = formerAddresses;
  return db
    .select({ id, sealed, leftAt })
    .from(formerAddresses)
    .where(isNull(formerAddresses.addressHash))
    .limit(limit);
}

/** For the cron job: marks sessions past their limits as expired. */
export function expireSessions(db: Database, now: number) {
  const expire = (isOver: SQL) =>
    db
      .update(sessions)
      .set({ state: "expired", endedAt: now })
      .where(and(sql`${sessions.state} = 'active'`, isOver));
  // Two statements: with one `or` SQLite would scan every session.
  return [expire(lte(sessions.expiresAt, now)), expire(lte(sessions.lastUsedAt, now - sessionIdleMs))] as const;
}

/** For the cron job: removes ended sessions when their cookies end, `sessionAbsoluteMs` after they began. */
export function removeEndedSessions(db: Database, now: number) {
  return db.delete(sessions).where(and(sql`${sessions.state} <> 'active'`, lte(sessions.expiresAt, now)));
}
