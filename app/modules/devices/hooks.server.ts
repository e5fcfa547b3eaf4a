import { and, eq, sql } from "drizzle-orm";
import type { FeatureHooks } from "#app/feature.ts";
import { devices } from "./schema.ts";

/** What devices are to the plan's limits and to usage. */
export const deviceHooks: FeatureHooks = {
  name: "devices",
  counted: {
    limit: "devices",
    count: (db, id) =>
      db
        .select({ used: sql<number>`count(*)`.as("used") })
        .from(devices)
        .where(and(eq(devices.accountId, id), eq(devices.state, "active"))),
  },
  retiredSources: (account) => sql`(select id from ${devices} where account_id = ${account} and state = 'removed')`,
};
