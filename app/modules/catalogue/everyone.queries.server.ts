/** Statements that range over all accounts, for the cron job. */
import { sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { keepsPlan, subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { soldPlans } from "./schema.ts";

/** Stores which of these plans have subscribers, and returns those that weren't stored before. */
export function changeFormerPlans(db: Database, planIds: readonly string[], now: number) {
  return db.all<{ planId: string }>(sql`
    update ${soldPlans} set missing_since = ${now}
    where plan_id in (select value from json_each(${JSON.stringify(planIds)})) and missing_since is null and exists (
      select 1 from ${subscriptions} s where s.plan_id = sold_plans.plan_id and ${keepsPlan(sql`s.state`)})
    returning plan_id as planId`);
}
