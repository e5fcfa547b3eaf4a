/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { lt } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { usedChallenges } from "./schema.ts";
import { usedChallengeRetentionMs } from "./challenges.rules.ts";

/** For the cron job: challenges that have expired. */
export function removeOldChallenges(db: Database, now: number) {
  return db.delete(usedChallenges).where(lt(usedChallenges.usedAt, now - usedChallengeRetentionMs));
}
