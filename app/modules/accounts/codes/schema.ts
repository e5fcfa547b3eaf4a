import type { ConsumerId, AccountId, EmailId, QuotaUseId, RequestId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { jsonColumn } from "#app/db/json-column.ts";
import type { WaitedQuota } from "./declaration-quotas.rules.ts";
import { type Carried, codeStates, purposes } from "./rules.ts";
import { oneOf } from "#app/db/one-of.ts";

/** One row per request for a code, whether its email contains one or not. */
export const codes = sqliteTable(
  "codes",
  {
    /** Part of the verify page's URL. */
    id: text().$type<RequestId>().primaryKey(),
    /** Canonical address that the code proves. */
    address: text().notNull(),
    /** The address as it was typed. */
    addressTyped: text().notNull(),
    /** SHA-256 of the requesting browser's cookie. */
    browserHash: text().notNull(),
    /**
     * - `sign-up`: creates the account
     * - `sign-in`: signs in to an existing account
     * - `change-email`: gives the signed-in account a new address; its session is renewed and all others end
     * - `reauthentication`: proves the user again before a sensitive action
     */
    purpose: text({ enum: purposes }).notNull(),
    /**
     * - `issued`: valid until `expiresAt`; the newest two codes of a purpose are valid side by side
     * - `used`: redeemed by exactly one attempt
     * - `expired`: too old, or its email failed; the time decides, and the cron job writes the state afterwards
     * - `exhausted`: too many wrong tries
     * - `superseded`: replaced by newer codes or a redeemed one, or the account's address changed
     */
    state: text({ enum: codeStates }).notNull(),
    /** Keyed HMAC of the eight digits, or of no digits if the email contains no code (sign-in without an account). */
    codeHash: text().notNull(),
    wrongTries: integer().notNull().default(0),
    /** Keyed hash of the digits that were wrong last: sent again, they are the same try. */
    lastWrongHash: text(),
    /** JSON for the next steps: plan, interval, redirectTo, terms version, referral code, invited entry, text of an interrupted form. */
    carried: jsonColumn<Carried>("object").notNull(),
    /** The one attempt that used it, by the id of the session it opened. */
    consumerId: text().$type<ConsumerId>(),
    createdAt: integer().notNull(),
    /** `codeRetentionMs` after the request until its email is sent, then `codeLifeMs` after that. */
    expiresAt: integer().notNull(),
    usedAt: integer(),
    /**
     * The account that a change of address or a re-authentication is for. Null for sign-up and sign-in, where the address identifies it.
     */
    accountId: text().$type<AccountId>(),
    /**
     * The email with the code, whose lifetime starts when the email is sent. Null if the email quota was used up, so that only a passkey
     * works.
     */
    emailId: text().$type<EmailId>(),
    /** JSON with the names of the quotas of its address and browser: keyed hashes, as in `quota_uses`. */
    quotas: text().notNull().default("{}"),
  },
  (table) => [
    oneOf("codes_purpose", table.purpose, purposes),
    oneOf("codes_state", table.state, codeStates),
    index("codes_of_browser").on(table.browserHash, table.createdAt),
    index("codes_old").on(table.createdAt),
    index("codes_of_address").on(table.address),
    index("codes_of_account")
      .on(table.accountId)
      .where(sql`${table.accountId} is not null`),
    index("codes_issued")
      .on(table.expiresAt)
      .where(sql`${table.state} = 'issued'`),
    index("codes_signed_up")
      .on(table.createdAt)
      .where(sql`${table.purpose} = 'sign-up' and ${table.state} = 'used'`),
  ],
);

/** One row per hit of a quota: an email, a wrong code, or an attempt to collect an open renewal. Quotas are named by keyed hashes. */
export const quotaUses = sqliteTable(
  "quota_uses",
  {
    /** `use_…`, or what is counted once: an account, a referral or a retry. */
    id: text().$type<QuotaUseId>().primaryKey(),
    /** Keyed hash of the quota's kind with an address, mailbox, browser or network; `emails of site` for the whole site. */
    quota: text().notNull(),
    /** When the email was queued, or the wrong code typed. */
    usedAt: integer().notNull(),
  },
  (table) => [index("quota_uses_within").on(table.quota, table.usedAt), index("quota_uses_old").on(table.usedAt)],
);

/** Queued emails that wait for quotas: the outbox doesn't try them meanwhile. */
export const waitingEmails = sqliteTable(
  "waiting_emails",
  {
    emailId: text().$type<EmailId>().primaryKey(),
    /** JSON: the quotas that it counts against, by their hashed names. */
    quotas: jsonColumn<WaitedQuota[]>("array").notNull(),
    /** When the quotas are looked at next. */
    tryAt: integer().notNull(),
  },
  (table) => [index("waiting_emails_due").on(table.tryAt)],
);

/** Wrong codes in a row, across hours: `wrongStreakMax` pause the quota. */
export const wrongStreaks = sqliteTable(
  "wrong_streaks",
  {
    /** Which quota of tries, as in `quota_uses`. */
    quota: text().primaryKey(),
    /** Wrong codes in a row; a right one resets it. */
    count: integer().notNull(),
    /** Until then no code is sent or tried. */
    pausedUntil: integer(),
    /** The row is removed `streakRetentionMs` after this. */
    lastWrongAt: integer().notNull().default(0),
  },
  (table) => [index("wrong_streaks_old").on(table.lastWrongAt)],
);

/** Browsers that signed in to an address before: they have quotas of their own for `knownBrowserMs`. */
export const knownBrowsers = sqliteTable(
  "known_browsers",
  {
    /** Keyed hash of the canonical address. */
    addressHash: text().notNull(),
    /** SHA-256 of the browser's cookie. */
    browserHash: text().notNull(),
    lastUsedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.addressHash, table.browserHash] }),
    index("known_browsers_old").on(table.lastUsedAt),
  ],
);
