import type { AccountId } from "#app/core/id.ts";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "#app/modules/accounts/schema.ts";

/** The values that count of what was reported: one per source of a `last` meter, one per month of a `maximum` meter. */
export const usageValues = sqliteTable(
  "usage_values",
  {
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** A key of the config's `meters`. */
    meter: text().notNull(),
    /** For a `last` meter the id of its source, for a `maximum` meter the month (`2026-11`). */
    part: text().notNull(),
    /** In the meter's unit. */
    value: integer().notNull(),
    /** When it was measured, as the source says. */
    reportedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.meter, table.part] }),
    // Months sort before ids, so old months are at the start of the index.
    index("usage_values_old").on(table.part),
  ],
);
