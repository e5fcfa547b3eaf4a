/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import type { Database } from "#app/db/database.server.ts";
import { soldPlans } from "./schema.ts";

/** All plans that were ever in the config. */
export function listSoldPlans(db: Database) {
  const { planId, plan, missingSince } = soldPlans;
  return db.select({ id: planId, plan, missingSince }).from(soldPlans);
}
