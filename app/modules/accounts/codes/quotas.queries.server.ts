import type { QuotaUseId } from "#app/core/id.ts";
import type { ResultsOf } from "#app/db/batch.server.ts";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { knownBrowsers, wrongStreaks } from "./schema.ts";
import { quotaWindowMs } from "./email-quotas.rules.ts";
import { streakPauseMs, triesPerHourMax, wrongStreakMax } from "./rules.ts";
import { addUse, isFree, listUses, type Name, quotaConsumed } from "./quota-uses.queries.server.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

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

/** The tries that count in this browser and the name of their quota, as a query whose rows `readTries` parses. */
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

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** The quota has tries left: for the WHERE of what a try may do. */
export function hasTries(quota: string, now: number): SQL {
  return sql`${isFree({ name: quota, max: triesPerHourMax, windowMs: quotaWindowMs }, now)}
    and not exists (select 1 from ${wrongStreaks} where quota = ${quota} and paused_until > ${now})`;
}

type TryUse = { id: QuotaUseId; quota: string; now: number };

/** Takes one wrong try from the hour's quota, if one is left and `guard` holds. Later statements of the batch check `quotaConsumed`. */
export function consumeTry(db: Database, use: TryUse, guard: SQL) {
  return addUse(db, use, sql`${hasTries(use.quota, use.now)} and ${guard}`);
}

/** Adds the try to the streak; the 100th in a row pauses the address and restarts the count. */
export function lengthenStreak(db: Database, use: TryUse) {
  const isLast = sql`${wrongStreaks.count} + 1 >= ${wrongStreakMax}`;
  return db
    .insert(wrongStreaks)
    .select(sql`select ${use.quota}, 1, null, ${use.now} where ${quotaConsumed(use)}`)
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

/** This try was the last of the streak and started the pause. */
export function streakPausedAt(use: TryUse): SQL {
  return sql`exists (
    select 1 from ${wrongStreaks} where quota = ${use.quota} and count = 0 and paused_until = ${use.now + streakPauseMs})
    and ${quotaConsumed(use)}`;
}

export function endStreak(db: Database, quota: string, guard: SQL) {
  return statement(db, sql`delete from ${wrongStreaks} where quota = ${quota} and ${guard}`);
}

/** The browser signed in to the address, and has its own quotas from now on. */
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
