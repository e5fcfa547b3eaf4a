import type { AccountId, DeviceId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accounts } from "#app/modules/accounts/schema.ts";
import { oneOf } from "#app/db/one-of.ts";
import { deviceStates } from "./rules.ts";
import { seatReductionStates } from "./seats.rules.ts";

/** What activates an account's devices: one key at a time, created when it is first asked for. */
export const licenceKeys = sqliteTable("licence_keys", {
  accountId: text()
    .$type<AccountId>()
    .primaryKey()
    .references(() => accounts.id),
  /** SHA-256 of the key. */
  keyHash: text().notNull().unique(),
  /** The key, encrypted under a key derived from the pepper, so that its owner can see it after a re-authentication. */
  sealed: text().notNull(),
  createdAt: integer().notNull(),
  /** When it replaced another key. */
  rotatedAt: integer(),
});

/** Installations of the product. A removed one is stored for a while, to count activations. */
export const devices = sqliteTable(
  "devices",
  {
    /** The device's token is this id with a keyed hash of it, and is stored nowhere. */
    id: text().$type<DeviceId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `active`: uses a seat
     * - `removed`: uses no seat, and its token is refused
     */
    state: text({ enum: deviceStates }).notNull(),
    /** Keyed hash of the machine's id. */
    fingerprintHash: text().notNull(),
    /** The machine's own name. */
    name: text().notNull(),
    /** The machine's operating system, as the product reports it. */
    platform: text().notNull(),
    activatedAt: integer().notNull(),
    /** Written at most once per `lastSeenUpdateIntervalMs`. */
    lastSeenAt: integer().notNull(),
    removedAt: integer(),
    /** What its owner calls it. Null if by the machine's name. */
    givenName: text(),
  },
  (table) => [
    oneOf("devices_state", table.state, deviceStates),
    uniqueIndex("devices_one_per_fingerprint")
      .on(table.accountId, table.fingerprintHash)
      .where(sql`${table.state} = 'active'`),
    index("devices_of_account").on(table.accountId, table.state, table.activatedAt),
    index("devices_old").on(table.state, table.removedAt),
    index("devices_named").on(table.name),
  ],
);

/** How pages and emails name a device. */
export const shownDeviceName = sql<string>`coalesce(${devices.givenName}, ${devices.name})`;

/** Accounts whose plan changed while they had devices, until all of them have seats or the excess is removed. */
export const seatReductions = sqliteTable(
  "seat_reductions",
  {
    accountId: text()
      .$type<AccountId>()
      .primaryKey()
      .references(() => accounts.id),
    /**
     * - `due`: to be checked, since the plan changed or a device found more devices than seats
     * - `announced`: the owner was emailed; every device works until `releasesAt`
     */
    state: text({ enum: seatReductionStates }).notNull(),
    /** How many there were when the owner was emailed. */
    seats: integer(),
    /** When the owner was emailed. */
    announcedAt: integer(),
    /** When devices over the limit are removed. */
    releasesAt: integer(),
  },
  (table) => [
    oneOf("seat_reductions_state", table.state, seatReductionStates),
    check("seat_reductions_announced", sql`${table.state} = 'due' or ${table.releasesAt} is not null`),
    index("seat_reductions_by_state").on(table.state, table.releasesAt),
  ],
);
