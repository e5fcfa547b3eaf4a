/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, lt, lte, sql, not, asc } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { codes, quotaUses, knownBrowsers, wrongStreaks, waitingEmails } from "./schema.ts";
import { codeRetentionMs, knownBrowserMs, streakRetentionMs } from "./rules.ts";
import { waitsForEmail } from "./expiry.queries.server.ts";

/** For the cron job: expires codes whose email couldn't be delivered. */
export function expireUnsent(db: Database, now: number) {
  return statement(db, sql`update ${codes} set state = 'expired' where ${waitsForEmail(now, "failed")}`);
}

/** For the cron job: expires codes after their ten minutes. */
export function expireCodes(db: Database, now: number) {
  return db
    .update(codes)
    .set({ state: "expired" })
    .where(and(sql`${codes.state} = 'issued'`, lte(codes.expiresAt, now)));
}

/** For the cron job: removes codes that the answer "already used" no longer needs. */
export function removeOldCodes(db: Database, now: number) {
  return db.delete(codes).where(lt(codes.createdAt, now - codeRetentionMs));
}

/** For the cron job: uses older than every window. */
export function removeOldUses(db: Database, now: number) {
  return db.delete(quotaUses).where(lt(quotaUses.usedAt, now - codeRetentionMs));
}

/** For the cron job: streaks that weren't continued and whose pause has ended. */
export function removeOldStreaks(db: Database, now: number) {
  const isPaused = sql`coalesce(${wrongStreaks.pausedUntil}, 0) > ${now}`;
  return db.delete(wrongStreaks).where(and(lt(wrongStreaks.lastWrongAt, now - streakRetentionMs), not(isPaused)));
}

/** For the cron job: browsers whose cookie has expired. */
export function removeOldBrowsers(db: Database, now: number) {
  return db.delete(knownBrowsers).where(lt(knownBrowsers.lastUsedAt, now - knownBrowserMs));
}

/** For the cron job: emails whose quotas are looked at again. */
export function listWaitingEmails(db: Database, now: number, limit: number) {
  return db
    .select()
    .from(waitingEmails)
    .where(lte(waitingEmails.tryAt, now))
    .orderBy(asc(waitingEmails.tryAt))
    .limit(limit);
}
