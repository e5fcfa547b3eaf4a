import type { ResultsOf } from "#app/db/batch.server.ts";
import { and, eq, lt, not, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { knownBrowsers, wrongStreaks } from "./schema.ts";
import {
  quotaWindowMs,
  knownBrowserMs,
  streakKeptMs,
  streakPauseMs,
  triesPerHourMax,
  wrongStreakMax,
} from "./rules.ts";
import { addUse, isFree, listUses, type Name, usesTaken } from "./uses.queries.server.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function findStreak(db: Database, quota: Name) {
  return db.select().from(wrongStreaks).where(eq(wrongStreaks.quota, quota));
}

export function findKnownBrowser(db: Database, addressHash: Name, browserHash: string) {
  return db
    .select({ lastUsedAt: knownBrowsers.lastUsedAt })
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.addressHash, addressHash), eq(knownBrowsers.browserHash, browserHash)));
}

export type TryNames = { addressHash: Name; stranger: { tries: Name }; known: { tries: Name } };

/** Whose tries count in a browser, and how many there were: for a batch, whose rows `readTries` reads. */
export function listTries(db: Database, quotas: TryNames, browserHash: string, now: number) {
  return {
    knownBrowsers: findKnownBrowser(db, quotas.addressHash, browserHash),
    strangerUses: listUses(db, quotas.stranger.tries, now),
    knownUses: listUses(db, quotas.known.tries, now),
    strangerStreak: findStreak(db, quotas.stranger.tries),
    knownStreak: findStreak(db, quotas.known.tries),
  };
}

export function readTries(rows: ResultsOf<ReturnType<typeof listTries>>) {
  const { knownBrowsers, strangerUses, knownUses, strangerStreak, knownStreak } = rows;
  const isKnown = knownBrowsers.length > 0;
  return {
    isKnown,
    triedAts: (isKnown ? knownUses : strangerUses).map((use) => use.usedAt),
    pausedUntil: (isKnown ? knownStreak : strangerStreak)[0]?.pausedUntil ?? null,
  };
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** The address has tries left: stands in the WHERE of what a try may do. */
export function hasTries(quota: string, now: number): SQL {
  return sql`${isFree({ name: quota, max: triesPerHourMax, windowMs: quotaWindowMs }, now)}
    and not exists (select 1 from ${wrongStreaks} where budget = ${quota} and paused_until > ${now})`;
}

type TryUse = { id: string; quota: string; now: number };

/** Takes one wrong try from the hour, while there is one and `guard` holds. What follows in the batch asks `usesTaken`. */
export function takeTry(db: Database, use: TryUse, guard: SQL) {
  return addUse(db, use, sql`${hasTries(use.quota, use.now)} and ${guard}`);
}

/** Counts the try into the streak; the hundredth in a row pauses the budget and starts to count anew. */
export function lengthenStreak(db: Database, use: TryUse) {
  const isLast = sql`${wrongStreaks.count} + 1 >= ${wrongStreakMax}`;
  return db
    .insert(wrongStreaks)
    .select(sql`select ${use.quota}, 1, null, ${use.now} where ${usesTaken(use)}`)
    .onConflictDoUpdate({
      target: wrongStreaks.quota,
      set: {
        count: sql`case when ${isLast} then 0 else ${wrongStreaks.count} + 1 end`,
        pausedUntil: sql`case when ${isLast} then ${use.now + streakPauseMs} else ${wrongStreaks.pausedUntil} end`,
        lastWrongAt: use.now,
      },
    })
    .returning({ pausedUntil: wrongStreaks.pausedUntil });
}

/** This very try was the last of the streak: the pause began with it. */
export function streakPausedAt(use: TryUse): SQL {
  return sql`exists (
    select 1 from ${wrongStreaks} where budget = ${use.quota} and count = 0 and paused_until = ${use.now + streakPauseMs})
    and ${usesTaken(use)}`;
}

export function endStreak(db: Database, quota: string, guard: SQL) {
  return statement(db, sql`delete from ${wrongStreaks} where budget = ${quota} and ${guard}`);
}

/** This browser signed in to the address: it has budgets of its own from now on. */
export function rememberBrowser(
  db: Database,
  browser: { addressHash: string; browserHash: string },
  guard: SQL,
  now: number,
) {
  return statement(
    db,
    sql`
    insert into ${knownBrowsers} (address_hash, browser_hash, last_used_at)
    select ${browser.addressHash}, ${browser.browserHash}, ${now} where ${guard}
    on conflict do update set last_used_at = excluded.last_used_at`,
  );
}

/** For the sweep: streaks that nobody goes on with, whose pause is over. */
export function removeOldStreaks(db: Database, now: number) {
  const isPaused = sql`coalesce(${wrongStreaks.pausedUntil}, 0) > ${now}`;
  return db.delete(wrongStreaks).where(and(lt(wrongStreaks.lastWrongAt, now - streakKeptMs), not(isPaused)));
}

/** For the sweep: browsers that don't have the cookie any more by which they were known. */
export function removeOldBrowsers(db: Database, now: number) {
  return db.delete(knownBrowsers).where(lt(knownBrowsers.lastUsedAt, now - knownBrowserMs));
}
