import type { FormerAddressId, AccountId, AddressChangeId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./schema.ts";
import { oneOf } from "#app/db/one-of.ts";
import { addressChangeStates } from "./address-change.rules.ts";

/** A change of address that its owner can revert by the link in the email to the old one. */
export const addressChanges = sqliteTable(
  "address_changes",
  {
    /** `chg_…` */
    id: text().$type<AddressChangeId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `changed`: can be reverted until `revertExpiresAt`
     * - `reverted`: the account has `fromEmail` again, even if further changes followed
     * - `overtaken`: undone because an earlier change was reverted
     */
    state: text({ enum: addressChangeStates }).notNull(),
    /** The address before, as it was typed. */
    fromEmail: text().notNull(),
    /** The same, canonical. */
    fromCanonical: text().notNull(),
    /** The address after, as it was typed. */
    toEmail: text().notNull(),
    /** The same, canonical. */
    toCanonical: text().notNull(),
    /** SHA-256 of the token in the emailed link. */
    revertHash: text().notNull().unique(),
    /** When it was changed. */
    changedAt: integer().notNull(),
    /** `revertLifeMs` after the change. */
    revertExpiresAt: integer().notNull(),
    /** When it was reverted. */
    revertedAt: integer(),
  },
  (table) => [
    oneOf("address_changes_state", table.state, addressChangeStates),
    index("address_changes_of_account").on(table.accountId, table.changedAt),
    index("address_changes_held").on(table.fromCanonical, table.revertExpiresAt),
    index("address_changes_old").on(table.changedAt),
  ],
);

/** Addresses that an account had before, to be erased with it: other rows refer to the address. */
export const formerAddresses = sqliteTable(
  "former_addresses",
  {
    /** `adr_…` */
    id: text().$type<FormerAddressId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** The canonical address, AES-256-GCM under a key from the pepper. */
    sealed: text().notNull(),
    /** When the address was replaced. */
    leftAt: integer().notNull(),
    /** Keyed hash of it, so that operators find the account; null: the cron job adds it, and it is empty where it can't be read. */
    addressHash: text(),
  },
  (table) => [
    index("former_addresses_of_account").on(table.accountId, table.leftAt),
    index("former_addresses_by_hash").on(table.addressHash),
  ],
);

/**
 * Markers of deleted addresses, as keyed hashes: of each canonical address and, if the account had paid, of its domain unless it
 * belongs to a public email provider. They make rewards for new customers be given once.
 */
export const deletedAddresses = sqliteTable("deleted_addresses", {
  /** Keyed hash of the canonical address, or of the domain. */
  addressHash: text().primaryKey(),
  /** When the account was erased. */
  erasedAt: integer().notNull(),
});
