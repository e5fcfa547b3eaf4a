/** Statements that range over all accounts, for the cron job. */
import { sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { soldPlans } from "./schema.ts";

/** Stores which of these plans have subscribers, and returns those that weren't stored before. */
export function changeFormerPlans(db: Database, planIds: readonly string[], now: number) {
  // Worded like the partial index `subscriptions_of_plan`, or SQLite wouldn't use it: the states that it names are those that aren't in
  // `keepingStates`.
  return db.all<{ planId: string }>(sql`
    update ${soldPlans} set missing_since = ${now}
    where plan_id in (select value from json_each(${JSON.stringify(planIds)})) and missing_since is null and exists (
      select 1 from ${subscriptions} s where s.plan_id = sold_plans.plan_id and s.state not in ('ended', 'incomplete'))
    returning plan_id as planId`);
}
