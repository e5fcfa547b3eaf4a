import { inArray } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { soldPlans } from "./schema.ts";

/** Stores a plan as the config has it now. */
export function changeSoldPlan(db: Database, { id, plan }: { id: string; plan: string }) {
  return db
    .insert(soldPlans)
    .values({ planId: id, plan })
    .onConflictDoUpdate({ target: soldPlans.planId, set: { plan, missingSince: null } });
}

export function removeSoldPlans(db: Database, planIds: string[]) {
  return db.delete(soldPlans).where(inArray(soldPlans.planId, planIds));
}

/** All plans that were ever in the config. */
export function listSoldPlans(db: Database) {
  const { planId, plan, missingSince } = soldPlans;
  return db.select({ id: planId, plan, missingSince }).from(soldPlans);
}
