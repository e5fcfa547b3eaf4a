import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Plans that the config has or had, so that a plan that is removed from it continues for its subscribers. */
export const soldPlans = sqliteTable("sold_plans", {
  /** The plan's id in the config. */
  planId: text().primaryKey(),
  /** JSON of name, tagline, prices (null for the free plan), limits and points. Null if it was sold before plans were stored. */
  plan: text(),
  /** When it was found to have subscribers while the config lacks it, which is reported. */
  missingSince: integer(),
});
