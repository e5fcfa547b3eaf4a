import type { ConsumerId, AccountId, PasskeyId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { jsonColumn } from "#app/db/json-column.ts";
import type { CredentialId, Transport } from "./rules.ts";
import { accounts } from "#app/modules/accounts/schema.ts";

/** Passkeys of an account. The last one may be removed, since emailed codes remain. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().$type<PasskeyId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** Base64url, as the authenticator names it. */
    credentialId: text().$type<CredentialId>().notNull().unique(),
    /** COSE key in base64url. */
    publicKey: text().notNull(),
    /** The authenticator's signature counter. */
    counter: integer().notNull(),
    /** JSON list of how the authenticator can be reached; a hint to the browser. */
    transports: jsonColumn<Transport[]>("array").notNull(),
    /** The owner's name for it. */
    name: text().notNull(),
    /** Its provider ("iCloud Keychain"), if the authenticator's model is known. */
    provider: text(),
    createdAt: integer().notNull(),
    lastUsedAt: integer(),
  },
  (table) => [index("passkeys_of_account").on(table.accountId, table.createdAt)],
);

/** A challenge is signed text that needs no row until it is used; a used one is stored until it has expired. */
export const usedChallenges = sqliteTable(
  "used_challenges",
  {
    /** SHA-256 of the challenge. */
    challengeHash: text().primaryKey(),
    /** The one attempt that used it. */
    consumerId: text().$type<ConsumerId>().notNull(),
    usedAt: integer().notNull(),
  },
  (table) => [index("used_challenges_old").on(table.usedAt)],
);
