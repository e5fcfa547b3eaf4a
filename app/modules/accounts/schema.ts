import type { ActivityId, AccountId, SessionId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { jsonColumn } from "#app/db/json-column.ts";
import type { EmailKind } from "#app/modules/email/rules.ts";
import { oneOf } from "#app/db/one-of.ts";
import { activityMethods, type ActivityName, activityResults } from "./activities.rules.ts";
import { hashKinds } from "./customer-hashes.rules.ts";
import { accountStates, sessionStates, signInMethods } from "./rules.ts";

/** One row per account. An account exists only once its address is proven. */
export const accounts = sqliteTable(
  "accounts",
  {
    id: text().$type<AccountId>().primaryKey(),
    /**
     * - `active`: signed up, with a proven address
     * - `closed`: closed by its owner, who can restore it for a while (`restorable_until`); erased after that
     * - `erased`: erased, only id and dates are left
     */
    state: text({ enum: accountStates }).notNull(),
    /** The address as it was typed. */
    email: text().notNull(),
    /** The address in NFC and lower case, with its domain in punycode. */
    emailCanonical: text().notNull().unique(),
    /** As the owner typed it, if they did. */
    name: text(),
    /** One of `locales`: how numbers and dates are written. */
    locale: text().notNull(),
    /** IANA name (`Asia/Kolkata`). A new account gets its browser's, else Cloudflare's guess, else the config's. */
    timeZone: text().notNull(),
    termsVersion: text().notNull(),
    createdAt: integer().notNull(),
    /** Set while the account is closed: until then its owner can restore it. */
    restorableUntil: integer(),
    /** Set when the erasure begins: from then on the account can't be restored. */
    erasureAt: integer(),
    /** JSON list of the kinds of email that its owner has switched off. */
    emailsOff: jsonColumn<EmailKind[]>("array").notNull().default([]),
    /** When its mailbox got its row in `customer_hashes`. Null until the cron job adds that. */
    mailboxHashedAt: integer(),
  },
  (table) => [
    oneOf("accounts_state", table.state, accountStates),
    index("accounts_closed").on(table.state, table.restorableUntil),
    index("accounts_named")
      .on(table.name)
      .where(sql`${table.name} is not null`),
    // Accounts with an address at a domain. `domainOf` must use this exact expression for the index to apply.
    index("accounts_of_domain").on(sql`substr(email_canonical, instr(email_canonical, '@') + 1)`),
    index("accounts_unhashed")
      .on(table.createdAt)
      .where(sql`${table.mailboxHashedAt} is null and ${table.state} <> 'erased'`),
  ],
);

/**
 * Keyed hashes of mailboxes and payment methods, each with the account that had it first, so that each gets the offers for new customers
 * once. They stay when the account is erased.
 */
export const customerHashes = sqliteTable(
  "customer_hashes",
  {
    /** Keyed, so that nobody without the pepper can look up an address by it. */
    hash: text().primaryKey(),
    /** For a mailbox the account that was created first, for a payment method the one that paid with it first. */
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `mailbox`: the mailbox an address leads to: without tags, and without dots where the provider ignores them
     * - `payment-method`: a card or bank account, by Stripe's fingerprint
     */
    kind: text({ enum: hashKinds }).notNull(),
    firstAt: integer().notNull(),
  },
  (table) => [
    oneOf("customer_hashes_kind", table.kind, hashKinds),
    index("customer_hashes_of_account").on(table.accountId),
  ],
);

/** Signed-in browsers. Every request reads its row, so ending one takes effect immediately. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().$type<SessionId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `active`: valid while neither the idle nor the absolute limit has passed
     * - `signed-out`: ended by the user
     * - `revoked`: ended from another browser, or because the account was closed in another
     * - `expired`: marked by the cron job; the limits apply without it
     * - `rotated`: replaced by a new session when the same browser signed in again
     */
    state: text({ enum: sessionStates }).notNull(),
    /** SHA-256 of 256 random bits that only the cookie contains. */
    tokenHash: text().notNull().unique(),
    /** "Firefox on Linux": what the user recognises, rather than the whole header. */
    device: text().notNull(),
    /** As Cloudflare locates the request. */
    country: text(),
    createdAt: integer().notNull(),
    /** When the user last proved the address, or used a passkey with user verification. 0 if they never did. */
    provenAt: integer().notNull(),
    /** Written at most once per `lastUseUpdateIntervalMs`. */
    lastUsedAt: integer().notNull(),
    /** `sessionAbsoluteMs` after it began. */
    expiresAt: integer().notNull(),
    endedAt: integer(),
    /** Null for sessions that began before this was stored. */
    method: text({ enum: signInMethods }),
  },
  (table) => [
    oneOf("sessions_state", table.state, sessionStates),
    oneOf("sessions_method", table.method, signInMethods),
    index("sessions_of_account").on(table.accountId, table.state),
    index("sessions_ending")
      .on(table.expiresAt)
      .where(sql`${table.state} = 'active'`),
    index("sessions_ended")
      .on(table.expiresAt)
      .where(sql`${table.state} <> 'active'`),
    index("sessions_idle")
      .on(table.lastUsedAt)
      .where(sql`${table.state} = 'active'`),
  ],
);

/** An account's activity log: what was done, when, from where, and with which result. Never a code or a token. */
export const activities = sqliteTable(
  "activities",
  {
    id: text().$type<ActivityId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** One of `activityNames` in `modules/accounts/activities.rules.ts`. */
    what: text().$type<ActivityName>().notNull(),
    /** "Firefox on Linux", as in the session. Null if no browser was involved. */
    device: text(),
    /** As in the session. */
    country: text(),
    happenedAt: integer().notNull(),
    result: text({ enum: activityResults }).notNull().default("done"),
    /** Why it was refused: the reason with which the form was answered. */
    reason: text(),
    /** What authorised it. */
    method: text({ enum: activityMethods }),
    /** Abbreviated: a /24 of IPv4, a /48 of IPv6. */
    network: text(),
  },
  (table) => [
    oneOf("activities_result", table.result, activityResults),
    oneOf("activities_method", table.method, activityMethods),
    index("activities_of_account").on(table.accountId, table.happenedAt),
    index("activities_by_time").on(table.happenedAt),
  ],
);
