import type { FormerAddressId, AccountId, AddressChangeId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./schema.ts";
import { oneOf } from "#app/db/one-of.ts";
import { addressChangeStates } from "./address-change.rules.ts";

/** A change of address that its owner can revert by the link in the email to the old one. */
export const addressChanges = sqliteTable(
  "address_changes",
  {
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
    /** The previous address, as it was typed. */
    fromEmail: text().notNull(),
    fromCanonical: text().notNull(),
    /** The new address, as it was typed. */
    toEmail: text().notNull(),
    toCanonical: text().notNull(),
    /** SHA-256 of the token in the emailed link. */
    revertHash: text().notNull().unique(),
    changedAt: integer().notNull(),
    /** The link works until `revertLifeMs` after the change. */
    revertExpiresAt: integer().notNull(),
    revertedAt: integer(),
  },
  (table) => [
    oneOf("address_changes_state", table.state, addressChangeStates),
    index("address_changes_of_account").on(table.accountId, table.changedAt),
    index("address_changes_held").on(table.fromCanonical, table.revertExpiresAt),
    index("address_changes_old").on(table.changedAt),
  ],
);

/** Addresses that an account had before. Other data is stored by address, so erasing the account needs all of them. */
export const formerAddresses = sqliteTable(
  "former_addresses",
  {
    id: text().$type<FormerAddressId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** The canonical address, encrypted with AES-256-GCM under a key derived from the pepper. */
    sealed: text().notNull(),
    /** When the address was replaced. */
    leftAt: integer().notNull(),
    /**
     * Keyed hash of the address, by which operators find the account. Null until the cron job adds it, and empty if the address can't be
     * decrypted.
     */
    addressHash: text(),
  },
  (table) => [
    index("former_addresses_of_account").on(table.accountId, table.leftAt),
    index("former_addresses_by_hash").on(table.addressHash),
  ],
);

/**
 * Deleted addresses, as keyed hashes: of each canonical address and, if the account had paid, of its domain unless that belongs to a public
 * email provider. By these, someone who signs up again is recognised and gets no second reward for new customers.
 */
export const deletedAddresses = sqliteTable("deleted_addresses", {
  /** Keyed hash of the canonical address, or of the domain. */
  addressHash: text().primaryKey(),
  erasedAt: integer().notNull(),
});
