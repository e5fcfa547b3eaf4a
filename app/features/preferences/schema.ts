import type { AccountId, DeviceId } from "#app/core/id.ts";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { jsonColumn } from "#app/db/json-column.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import type { Preferences } from "./preferences.rules.ts";

/** The product's own preferences of one account; the keys are the config's. The version guards against lost updates. */
export const preferences = sqliteTable("preferences", {
  accountId: text()
    .$type<AccountId>()
    .primaryKey()
    .references(() => accounts.id),
  /** JSON by the config's keys. It has only what was chosen: defaults come from the config. */
  chosen: jsonColumn<Preferences>("object").notNull(),
  /** Optimistic locking: a change names the version it was made to. */
  version: integer().notNull(),
  updatedAt: integer().notNull(),
  /** The device that made the last change. Null if the owner did, on the page. */
  changedBy: text().$type<DeviceId>(),
  /** JSON of what was chosen before devices changed it. Null if none has since the owner last saved. */
  beforeDevices: jsonColumn<Preferences>("object"),
});
