/**
 * All tables, a section per module. Columns in fixed order: id, owner, state, facts, times (milliseconds since 1970 UTC).
 * CHECK for every state, UNIQUE for every "only once", an index named by its question. Tables are STRICT: drizzle can't
 * write that, so the generated migration gets it by hand and a test reads sqlite_master. One file on purpose, longer than
 * others may be: what the database holds is seen in one scroll, and references never cross files.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// mail -----------------------------------------------------------------------------------------------------------------

/**
 * The outbox. An email is queued in the batch that causes it, sent after the commit, and wiped once it was sent. See
 * `docs/reference/emails.md`.
 */
export const mails = sqliteTable(
  "mails",
  {
    /** `mail_…`, or the name of its cause, so that a cause is emailed about once. */
    id: text().primaryKey(),
    /**
     * - `queued`: waits for its next try
     * - `sent`: handed to the email service
     * - `failed`: every try failed
     */
    state: text().notNull(),
    /** Which template; its data and the recipient are encrypted. */
    template: text().notNull(),
    /** Recipient and data, AES-256-GCM under a key from the pepper; wiped once it was sent. Of a failed one kept for `failedKeptMs`. */
    sealed: text(),
    /** How many tries have begun. */
    tries: integer().notNull().default(0),
    createdAt: integer().notNull(),
    /** When the next try is due; null: none is. */
    nextTryAt: integer(),
    /** When the email service accepted it. */
    sentAt: integer(),
  },
  (table) => [
    check("mails_state", sql`${table.state} in ('queued', 'sent', 'failed')`),
    index("mails_due").on(table.state, table.nextTryAt),
    index("mails_old").on(table.createdAt),
  ],
);

// codes ----------------------------------------------------------------------------------------------------------------

/** One row per request for a code, whether its email contains one or not. */
export const codes = sqliteTable(
  "codes",
  {
    /** `req_…`, part of the verify page's URL. */
    id: text().primaryKey(),
    /** Canonical address that the code proves. */
    address: text().notNull(),
    /** The address as it was typed. */
    addressTyped: text().notNull(),
    /** SHA-256 of the browser cookie that asked. */
    browserHash: text().notNull(),
    /**
     * - `sign-up`: creates the account
     * - `sign-in`: signs in to an existing account
     * - `change-email`: gives the signed-in account a new address; its session is renewed and all others end
     * - `fresh-proof`: re-authentication before a sensitive action
     */
    purpose: text().notNull(),
    /**
     * - `issued`: valid until `expiresAt`; the newest two codes of a purpose are valid side by side
     * - `used`: redeemed by exactly one attempt
     * - `expired`: too old, or its email failed; the time decides, and the cron job writes the state afterwards
     * - `exhausted`: too many wrong tries
     * - `superseded`: replaced by newer codes or a redeemed one, or the account's address changed
     */
    state: text().notNull(),
    /** Keyed HMAC of the eight digits; of no digits where the email contains no code (sign-in without an account). */
    codeHash: text().notNull(),
    /** Wrong codes that were typed for it. */
    wrongTries: integer().notNull().default(0),
    /** JSON for the next steps: plan, interval, redirectTo, terms version, referral code, invited entry, text of an interrupted form. */
    carried: text().notNull(),
    /** The one attempt that used it: the id of the session that came of it. */
    claim: text(),
    createdAt: integer().notNull(),
    /** `keptMs` after the request until its email was sent, then `codeLifeMs` after that. */
    expiresAt: integer().notNull(),
    /** When it was redeemed. */
    usedAt: integer(),
    /** Whose account a change of address or a re-authentication is about; null where the address itself says it. */
    accountId: text(),
    /** The email with the code, from whose sending its lifetime counts; null: no quota for one, a passkey has to do. */
    mailId: text(),
    /** JSON: names of the quotas of its address and browser, keyed hashes as in `budget_uses`. */
    quotas: text("budgets").notNull().default("{}"),
  },
  (table) => [
    check("codes_purpose", sql`${table.purpose} in ('sign-up', 'sign-in', 'change-email', 'fresh-proof')`),
    check("codes_state", sql`${table.state} in ('issued', 'used', 'expired', 'exhausted', 'superseded')`),
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
export const quotaHits = sqliteTable(
  "budget_uses",
  {
    /** `use_…` */
    id: text().primaryKey(),
    /** Keyed hash of the quota's kind with an address, mailbox, browser or network; `mails of site` for the whole site. */
    quota: text("budget").notNull(),
    /** When the email was queued, or the wrong code typed. */
    usedAt: integer().notNull(),
  },
  (table) => [index("budget_uses_within").on(table.quota, table.usedAt), index("budget_uses_old").on(table.usedAt)],
);

/** Wrong codes in a row, across hours: `wrongStreakMax` pause the quota. */
export const wrongStreaks = sqliteTable(
  "wrong_streaks",
  {
    /** Which quota of tries, as in `budget_uses`. */
    quota: text("budget").primaryKey(),
    /** Wrong codes in a row; a right one resets it. */
    count: integer().notNull(),
    /** No codes and no tries until then. */
    pausedUntil: integer(),
    /** The row is removed `streakKeptMs` after this. */
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

// accounts -------------------------------------------------------------------------------------------------------------

/** One row per account. An account exists only once its address is proven. */
export const accounts = sqliteTable(
  "accounts",
  {
    /** `acc_…` */
    id: text().primaryKey(),
    /**
     * - `active`: signed up, with a proven address
     * - `leaving`: closed by its owner, who can restore it until `leavingUntil`; erased after that
     * - `gone`: erased: only id and dates are left
     */
    state: text().notNull(),
    /** The address as it was typed. */
    email: text().notNull(),
    /** NFC, lower case, the domain in punycode. */
    emailCanonical: text().notNull().unique(),
    /** As the owner typed it; null: none. */
    name: text(),
    /** For numbers and dates; one of `locales`. */
    locale: text().notNull(),
    /** IANA name (`Asia/Kolkata`); a new account gets its browser's, else Cloudflare's guess, else the config's. */
    timeZone: text().notNull(),
    /** The version of the terms that was agreed to. */
    termsVersion: text().notNull(),
    createdAt: integer().notNull(),
    /** Set while the account is closed: until then its owner can restore it. */
    leavingUntil: integer(),
    /** Set when the erasure begins: from then on the account can't be restored. */
    goneAt: integer(),
    /** JSON list of the kinds of email that its owner has switched off. */
    mailsOff: text().notNull().default("[]"),
    /** When its mailbox got its row in `customer_marks`; null: the cron job adds it. */
    mailboxMarkedAt: integer(),
  },
  (table) => [
    check("accounts_state", sql`${table.state} in ('active', 'leaving', 'gone')`),
    index("accounts_leaving").on(table.state, table.leavingUntil),
    index("accounts_named")
      .on(table.name)
      .where(sql`${table.name} is not null`),
    // Who else has an address at a domain: `domainOf` asks for it in these very words.
    index("accounts_of_domain").on(sql`substr(email_canonical, instr(email_canonical, '@') + 1)`),
    index("accounts_unmarked")
      .on(table.createdAt)
      .where(sql`${table.mailboxMarkedAt} is null and ${table.state} <> 'gone'`),
  ],
);

/**
 * Keyed hashes of mailboxes and payment methods, each with the account that had it first: offers for new customers are made once for
 * each. Stored beyond the account's erasure.
 */
export const customerMarks = sqliteTable(
  "customer_marks",
  {
    /** Keyed, so that no address can be looked up by it. */
    hash: text().primaryKey(),
    /** Of a mailbox the account that was created first; of a payment method the one that paid with it first. */
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `mailbox`: the mailbox an address leads to: without tags, and without dots where the provider ignores them
     * - `payment-method`: a card or bank account, by Stripe's fingerprint
     */
    kind: text().notNull(),
    /** When that account was first seen with it. */
    firstAt: integer().notNull(),
  },
  (table) => [
    check("customer_marks_kind", sql`${table.kind} in ('mailbox', 'payment-method')`),
    index("customer_marks_of_account").on(table.accountId),
  ],
);

/** Signed-in browsers. Every request reads its row, so ending one takes effect at once. */
export const sessions = sqliteTable(
  "sessions",
  {
    /** `ses_…` */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `active`: valid while neither the idle nor the absolute limit has passed
     * - `signed-out`: ended by the user
     * - `revoked`: ended from another browser, or because the account was closed in another
     * - `expired`: marked by the cron job; the limits apply without it
     * - `rotated`: replaced by a new session when the same browser signed in again
     */
    state: text().notNull(),
    /** SHA-256 of 256 random bits that only the cookie contains. */
    tokenHash: text().notNull().unique(),
    /** "Firefox on Linux": what the user recognises, not the header. */
    device: text().notNull(),
    /** The country, as Cloudflare says. */
    place: text(),
    createdAt: integer().notNull(),
    /** When the user last proved the address, or a passkey with user verification; 0: never. */
    provenAt: integer().notNull(),
    /** Written at most once per `lastUseGrainMs`. */
    lastUsedAt: integer().notNull(),
    /** `sessionAbsoluteMs` after it began. */
    expiresAt: integer().notNull(),
    /** When it ended, for whatever reason. */
    endedAt: integer(),
  },
  (table) => [
    check("sessions_state", sql`${table.state} in ('active', 'signed-out', 'revoked', 'expired', 'rotated')`),
    index("sessions_of_account").on(table.accountId, table.state),
    index("sessions_ending")
      .on(table.expiresAt)
      .where(sql`${table.state} = 'active'`),
    index("sessions_idle")
      .on(table.lastUsedAt)
      .where(sql`${table.state} = 'active'`),
  ],
);

/** An account's activity log: who, what, when, where, with which result. Never a code or a token. */
export const activities = sqliteTable(
  "activities",
  {
    /** `act_…` */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** One of `activityMessages` in `modules/accounts/activities.rules.ts`. */
    what: text().notNull(),
    /** "Firefox on Linux", as the session has it; null where no browser was involved. */
    device: text(),
    /** The country, as the session has it. */
    place: text(),
    /** When it happened. */
    happenedAt: integer().notNull(),
    /** `done` or `refused`; with the reason for a refusal. */
    result: text().notNull().default("done"),
    /** Why it was refused: the reason the form answered with. */
    reason: text(),
    /** What authorised it, one of `activityMethods`. */
    method: text(),
    /** Abbreviated: a /24 of IPv4, a /48 of IPv6. */
    network: text(),
  },
  (table) => [
    index("activities_of_account").on(table.accountId, table.happenedAt),
    index("activities_by_time").on(table.happenedAt),
  ],
);

/** A change of address that its owner can revert by the link in the email to the old one. */
export const addressChanges = sqliteTable(
  "address_changes",
  {
    /** `chg_…` */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `changed`: can be reverted until `revertExpiresAt`
     * - `reverted`: reverted: the account has `fromEmail` again, whatever addresses followed
     * - `overtaken`: undone because an earlier change was reverted
     */
    state: text().notNull(),
    /** The address before, as it was typed. */
    fromEmail: text().notNull(),
    /** The same, canonical. */
    fromCanonical: text().notNull(),
    /** The address after, as it was typed. */
    toEmail: text().notNull(),
    /** The same, canonical. */
    toCanonical: text().notNull(),
    /** SHA-256 of the token in the mailed link. */
    revertHash: text().notNull().unique(),
    /** When it was changed. */
    changedAt: integer().notNull(),
    /** `revertLifeMs` after the change. */
    revertExpiresAt: integer().notNull(),
    /** When it was reverted. */
    revertedAt: integer(),
  },
  (table) => [
    check("address_changes_state", sql`${table.state} in ('changed', 'reverted', 'overtaken')`),
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
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The canonical address, AES-256-GCM under a key from the pepper. */
    sealed: text().notNull(),
    /** When the address was replaced. */
    leftAt: integer().notNull(),
    /** Keyed hash of it, so that operators find the account; null: the sweep adds it, and it is empty where it can't be read. */
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
export const deletedAddresses = sqliteTable("tombstones", {
  /** Keyed hash of the canonical address, or of the domain. */
  addressHash: text().primaryKey(),
  /** When the account was erased. */
  goneAt: integer().notNull(),
});

// passkeys -------------------------------------------------------------------------------------------------------------

/** Passkeys of an account. The last one may be removed, since emailed codes remain. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** `pky_…` */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** Base64url, as the authenticator names it. */
    credentialId: text().notNull().unique(),
    /** COSE key in base64url. */
    publicKey: text().notNull(),
    /** The authenticator's signature counter. */
    counter: integer().notNull(),
    /** JSON list of how the authenticator can be reached; a hint to the browser. */
    transports: text().notNull(),
    /** The owner's name for it. */
    name: text().notNull(),
    /** Who keeps it ("iCloud Keychain"), as far as its model is known. */
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
    claim: text().notNull(),
    /** When it was used. */
    usedAt: integer().notNull(),
  },
  (table) => [index("used_challenges_old").on(table.usedAt)],
);

// product --------------------------------------------------------------------------------------------------------------

/** The product's own preferences of one account; the keys are the config's. The version guards against lost updates. */
export const preferences = sqliteTable("preferences", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id),
  /** JSON by the config's keys: only what was chosen; defaults come from the config. */
  chosen: text().notNull(),
  /** Optimistic locking: a change names the version it was made to. */
  version: integer().notNull(),
  updatedAt: integer().notNull(),
  /** The device that made the last change; null: its owner did, on the page. */
  changedBy: text(),
  /** JSON: what was chosen before devices changed it; null: none did since its owner last saved. */
  beforeDevices: text(),
});

// plans ----------------------------------------------------------------------------------------------------------------

/**
 * Stripe's customer of an account, created once under the account's id as idempotency key. Kept when an account that has paid is erased:
 * refunds and disputes are followed by the id of the deleted customer.
 */
export const customers = sqliteTable(
  "customers",
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    /** Stripe's id of the customer. */
    providerId: text().notNull().unique(),
    createdAt: integer().notNull(),
    /** What Stripe takes off the next charges, in minor units of the config's currency; negative: what it adds. */
    creditMinor: integer().notNull().default(0),
    /** When Stripe was asked for the answer stored here; an earlier answer never overwrites a later one. */
    syncedAt: integer().notNull().default(0),
    /** When Stripe was last asked about it: every customer has a turn. */
    askedAt: integer().notNull().default(0),
    /** Up to which answer, by its `syncedAt`, the ledger has followed; 0: the customer never had credit. */
    ledgerSyncedAt: integer().notNull().default(0),
    /** When the payment methods used until then were marked; null: a customer from before there were marks. */
    methodsMarkedAt: integer(),
  },
  (table) => [
    index("customers_by_turn").on(table.askedAt),
    index("customers_unmarked")
      .on(table.createdAt)
      .where(sql`${table.methodsMarkedAt} is null`),
    index("customers_ledger_behind")
      .on(table.syncedAt)
      .where(
        sql`${table.syncedAt} > ${table.ledgerSyncedAt} and (${table.creditMinor} <> 0 or ${table.ledgerSyncedAt} > 0)`,
      ),
  ],
);

/** A copy of what Stripe said last about each subscription; Stripe decides about money. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    /** Stripe's id of the subscription. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `active`: paid for
     * - `past-due-grace`: a renewal failed; access continues for `graceMs`
     * - `past-due-locked`: still unpaid after the grace period, or an earlier renewal within `unpaidGraceWindowMs` was never paid
     * - `incomplete`: nothing has been paid yet
     * - `unpaid`: Stripe has stopped trying to collect
     * - `paused`: paused at Stripe; a plan bought now replaces it once it is paid
     * - `ended`: over
     */
    state: text().notNull(),
    /** A plan of the config, or of `sold_plans`. */
    planId: text().notNull(),
    /**
     * - `month`: billed monthly
     * - `year`: billed yearly
     */
    interval: text().notNull(),
    /** The price per interval, tax included. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    /** Of the card that is charged. */
    cardBrand: text(),
    /** Last four digits of that card. */
    cardLast4: text(),
    /** `YYYY-MM`. */
    cardExpires: text(),
    /** When it began. */
    startedAt: integer().notNull(),
    /** The next charge, or the end of a cancelled plan. */
    periodEndsAt: integer().notNull(),
    /** Set: it ends then and doesn't renew. */
    cancelsAt: integer(),
    /** When the oldest unpaid invoice was issued. */
    pastDueSince: integer(),
    /** When it ended. */
    endedAt: integer(),
    /** When Stripe was asked for this row; an earlier answer never overwrites a later one. */
    syncedAt: integer().notNull(),
    /** The plan that replaces it at `pendingAt`. */
    pendingPlanId: text(),
    /** Its billing interval. */
    pendingInterval: text(),
    /** When it begins. */
    pendingAt: integer(),
    /** `automatic`, or `on-hold` while the team has paused collection at Stripe. */
    collection: text().notNull().default("automatic"),
    /** Amount of a renewal whose invoice exists and is charged at `comingAt`, before the balance. */
    comingMinor: integer(),
    /** When that invoice is charged. */
    comingAt: integer(),
    /** The next renewal with discounts that the team gave at Stripe, before the balance; null: the price. */
    renewalMinor: integer(),
  },
  (table) => [
    check(
      "subscriptions_state",
      sql`${table.state} in ('active', 'past-due-grace', 'past-due-locked', 'incomplete', 'unpaid', 'paused', 'ended')`,
    ),
    check("subscriptions_interval", sql`${table.interval} in ('month', 'year')`),
    uniqueIndex("subscriptions_one_running")
      .on(table.accountId)
      .where(sql`${table.state} not in ('ended', 'incomplete')`),
    index("subscriptions_of_account").on(table.accountId, table.startedAt),
    index("subscriptions_by_state").on(table.state, table.periodEndsAt),
    index("subscriptions_of_plan")
      .on(table.planId)
      .where(sql`${table.state} not in ('ended', 'incomplete')`),
    index("subscriptions_past_due")
      .on(table.pastDueSince)
      .where(sql`${table.state} = 'past-due-grace'`),
  ],
);

/** Plans that the config has or had, so that a plan that is removed from it continues for its subscribers. */
export const soldPlans = sqliteTable("sold_plans", {
  /** The plan's id in the config. */
  planId: text().primaryKey(),
  /** JSON: name, tagline, prices (null: the free plan), limits, points; null where it was sold before plans were stored. */
  plan: text(),
  /** When it was found to have subscribers while the config lacks it, which is reported. */
  missingSince: integer(),
});

// orders ---------------------------------------------------------------------------------------------------------------

/** One charge each: a first payment, a renewal or a change of plan. */
export const orders = sqliteTable(
  "orders",
  {
    /** `ord_…`, also the idempotency key of its checkout. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `draft`: a plan was chosen; no checkout exists yet
     * - `pending`: the checkout is open
     * - `processing`: the bank is processing the payment
     * - `needs-action`: the bank asks the customer for a confirmation
     * - `paid`: paid; the order has its number
     * - `partially-refunded`: part of the money was refunded
     * - `refunded`: all of the money was refunded
     * - `failed`: the last try was declined; the checkout may still be open
     * - `cancelled`: given up or replaced by another choice; a payment that still arrives counts
     * - `expired`: the checkout expired; a payment that still arrives counts
     */
    state: text().notNull(),
    /**
     * - `none`: no dispute
     * - `needs-response`: the customer's bank asks for evidence
     * - `under-review`: the bank decides
     * - `won`: the money stays
     * - `lost`: the money went back to the customer
     */
    dispute: text().notNull().default("none"),
    /**
     * - `new-plan`: a first payment through our checkout
     * - `renewal`: the invoice of a later period
     * - `change`: any other invoice, such as a plan change
     */
    kind: text().notNull(),
    /** The plan that was charged for. */
    planId: text().notNull(),
    /** `month` or `year`. */
    interval: text().notNull(),
    currency: text().notNull(),
    /** What is charged, tax included. */
    amountMinor: integer().notNull(),
    /** The tax included in `amountMinor`. */
    taxMinor: integer().notNull().default(0),
    /** What a coupon took off at the checkout; not part of `amountMinor`. */
    discountMinor: integer().notNull().default(0),
    /** Credit that was used, negative for credit that was added; until it is paid, all that the balance takes off. */
    creditMinor: integer().notNull().default(0),
    /** Refunded so far. */
    refundedMinor: integer().notNull().default(0),
    /** `YYYY-NNNNNN`, gapless per year of the seller's calendar, assigned in the statement that sets the order to paid. */
    numberYear: integer(),
    /** The second part of the number. */
    numberInYear: integer(),
    /** Stripe's id of the checkout session. */
    checkoutId: text().unique(),
    /** Where it can be paid while it is open: the checkout, or the page of an invoice. */
    checkoutUrl: text(),
    /** Stripe's id of the invoice. */
    invoiceId: text().unique(),
    /** Stripe's own receipt. */
    receiptUrl: text(),
    /** Why a payment failed, one of `failureClasses`; `mismatch` when another amount was paid than the order asked for. */
    failure: text(),
    /** JSON: name, address, country, VAT ids and payment method as they were when it was paid; null once the account is erased. */
    billedTo: text(),
    createdAt: integer().notNull(),
    /** When its checkout expires. */
    expiresAt: integer(),
    /** Set exactly when the order has a number. */
    paidAt: integer(),
    /** When Stripe was asked for what this row says; an earlier answer never overwrites a later one. */
    syncedAt: integer(),
    updatedAt: integer().notNull(),
    /** Payments that were tried for it. */
    attempts: integer().notNull().default(0),
    /** When Stripe retries the payment on its own. */
    nextTryAt: integer(),
    /** The time by which a plan change was prorated, in the quote and in the charge. */
    prorationAt: integer(),
    /** Of `refundedMinor`: what was refunded as a friend's discount. */
    friendDiscountMinor: integer().notNull().default(0),
    /** JSON: the seller's name, address and VAT ID when it was paid; null: unpaid, or from before this was stored. */
    seller: text(),
    /** JSON: net amount and each tax with name, rate and amount, as Stripe charged them; null: none. */
    taxes: text(),
    /** By when the dispute has to be answered, as Stripe says; null once it is, or where the bank takes no answer. */
    disputeDueAt: integer(),
    /** It may have been paid, and isn't known to be before Stripe answers a call made at this time or later; null: known. */
    unconfirmedUntil: integer(),
  },
  (table) => [
    check(
      "orders_state",
      sql`${table.state} in ('draft', 'pending', 'processing', 'needs-action', 'paid', 'partially-refunded', 'refunded', 'failed', 'cancelled', 'expired')`,
    ),
    check("orders_dispute", sql`${table.dispute} in ('none', 'needs-response', 'under-review', 'won', 'lost')`),
    check("orders_kind", sql`${table.kind} in ('new-plan', 'renewal', 'change')`),
    check("orders_number_when_paid", sql`(${table.numberYear} is null) = (${table.paidAt} is null)`),
    uniqueIndex("orders_number").on(table.numberYear, table.numberInYear),
    /** Two clicks, two tabs: one open purchase per account. */
    uniqueIndex("orders_one_open")
      .on(table.accountId)
      .where(
        sql`${table.kind} <> 'renewal' and ${table.state} in ('draft', 'pending', 'processing', 'needs-action', 'failed')`,
      ),
    index("orders_of_account").on(table.accountId, table.createdAt, table.id),
    /** The list, narrowed: whatever is asked for stands together, in the list's order. */
    index("orders_of_state").on(table.accountId, table.state, table.createdAt, table.id),
    index("orders_of_year").on(table.accountId, table.numberYear, table.createdAt, table.id),
    index("orders_of_both").on(table.accountId, table.state, table.numberYear, table.createdAt, table.id),
    index("orders_open").on(table.state, table.createdAt),
    index("orders_by_change").on(table.updatedAt),
    index("orders_unconfirmed")
      .on(table.accountId)
      .where(sql`${table.unconfirmedUntil} is not null`),
    index("orders_disputed")
      .on(table.paidAt)
      .where(sql`${table.dispute} in ('needs-response', 'under-review')`),
  ],
);

/** The lines of an order's invoice. */
export const orderLines = sqliteTable(
  "order_lines",
  {
    /** The order it belongs to. */
    orderId: text()
      .notNull()
      .references(() => orders.id),
    /** Order of the lines, from 0. */
    position: integer().notNull(),
    /** The line's text, as on the invoice. */
    description: text().notNull(),
    /** Negative for what is taken off. */
    amountMinor: integer().notNull(),
    /** Start of the period that the line is about. */
    periodStartsAt: integer(),
    /** End of that period. */
    periodEndsAt: integer(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.position] })],
);

/** An order's timeline: one line per event and cause. */
export const orderMoments = sqliteTable(
  "order_moments",
  {
    /** The order it belongs to. */
    orderId: text()
      .notNull()
      .references(() => orders.id),
    /** The state it moved to, or another word for what happened. */
    what: text().notNull(),
    /** Which one, of what can happen more than once: a refund's id, the number of a try. */
    cause: text().notNull().default(""),
    /** Of a refund or a payment: how much. */
    amountMinor: integer(),
    /** When it happened. */
    happenedAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.what, table.cause] })],
);

/** Declarations of withdrawal from a contract, as they were made; anyone can make one, for any number. */
export const withdrawals = sqliteTable(
  "withdrawals",
  {
    /** `wdr_…`; its email has the same id. */
    id: text().primaryKey(),
    /** The order that is meant, if number and address match one. */
    orderId: text().references(() => orders.id),
    /**
     * - `declared`: received
     * - `acknowledged`: the confirmation email was sent
     * - `refunded`: all money of the order, or all that its contract owes, was refunded
     * - `contested`: an operator did not accept it
     */
    state: text().notNull(),
    /** As it was typed. */
    name: text().notNull(),
    /** The order as it was typed. */
    orderTyped: text().notNull(),
    /** Canonical. */
    email: text().notNull(),
    /** When it was received. */
    declaredAt: integer().notNull(),
    /** When the confirmation email was sent. */
    acknowledgedAt: integer(),
    /** When it was refunded or contested. */
    closedAt: integer(),
    /** `owner`: signed in to the order's account; `mailbox`: by the order's id, which our emails to the account carry; else `anyone`. */
    declaredBy: text().notNull().default("anyone"),
    /** Why it wasn't accepted, as the customer was told. */
    contestReason: text(),
  },
  (table) => [
    check("withdrawals_state", sql`${table.state} in ('declared', 'acknowledged', 'refunded', 'contested')`),
    index("withdrawals_by_state").on(table.state, table.declaredAt),
    index("withdrawals_of_order").on(table.orderId),
    index("withdrawals_of_address").on(table.email),
  ],
);

/** The inbox of Stripe's events. An event is only a hint that something changed. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    /** Stripe's id of the event. */
    id: text().primaryKey(),
    /**
     * - `received`: stored: delivered by Stripe, or found in Stripe's list
     * - `handled`: the customer was synced
     * - `failed`: Stripe didn't answer, or its answer was inconsistent; retried by the cron job
     * - `ignored`: about no customer of ours, or of a type that changes nothing
     */
    state: text().notNull(),
    /** Stripe's event type. */
    type: text().notNull(),
    /** Stripe's id of the customer to sync. */
    customerId: text(),
    /** How often it was received. */
    tries: integer().notNull().default(1),
    /** When it was first received. */
    receivedAt: integer().notNull(),
    /** The last try, or when it was handled; while `received`: until when a request is handling it. */
    settledAt: integer(),
    /** The payment it is about, where the event names no customer. */
    paymentId: text(),
  },
  (table) => [
    check("webhook_events_state", sql`${table.state} in ('received', 'handled', 'failed', 'ignored')`),
    index("webhook_events_unsettled").on(table.state, table.receivedAt),
  ],
);

/** How far the cron job has come with work that it does in portions. */
export const sweepMarks = sqliteTable("sweep_marks", {
  /**
   * `events`: Stripe's list of events; `referrals`, `own-cards`: orders that changed; `renewal-notice`, `card-expiring`: plans that
   * are charged next.
   */
  name: text().primaryKey(),
  /** The id of the last event that was read, or the time up to which rows were checked (0: all of them). */
  mark: text().notNull(),
});

// devices --------------------------------------------------------------------------------------------------------------

/** What activates an account's devices: one key at a time, created when it is first asked for. */
export const licenceKeys = sqliteTable("licence_keys", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id),
  /** SHA-256 of the key. */
  keyHash: text().notNull().unique(),
  /** The key itself under a key from the pepper, for its owner to see after a re-authentication. */
  sealed: text().notNull(),
  createdAt: integer().notNull(),
  /** When it replaced another key. */
  rotatedAt: integer(),
});

/** Installations of the product. A removed one is stored for a while, to count activations. */
export const devices = sqliteTable(
  "devices",
  {
    /** `dev_…`; its token is this and a keyed hash of it, which is stored nowhere. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `active`: uses a seat
     * - `removed`: uses no seat, and its token is refused
     */
    state: text().notNull(),
    /** Keyed hash of the machine's id. */
    fingerprintHash: text().notNull(),
    /** The machine's own name. */
    name: text().notNull(),
    /** The machine's operating system, as the product says. */
    platform: text().notNull(),
    /** When it was activated. */
    activatedAt: integer().notNull(),
    /** Written at most once per `lastSeenGrainMs`. */
    lastSeenAt: integer().notNull(),
    /** When it was removed. */
    removedAt: integer(),
  },
  (table) => [
    check("devices_state", sql`${table.state} in ('active', 'removed')`),
    uniqueIndex("devices_one_per_fingerprint")
      .on(table.accountId, table.fingerprintHash)
      .where(sql`${table.state} = 'active'`),
    index("devices_of_account").on(table.accountId, table.state, table.activatedAt),
    index("devices_old").on(table.state, table.removedAt),
    index("devices_named").on(table.name),
  ],
);

/** Accounts whose plan changed while they had devices, until there are seats for all of them or the rest is removed. */
export const seatReductions = sqliteTable(
  "seat_reductions",
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    /**
     * - `due`: the plan changed, or a device found more devices than seats: to be checked
     * - `announced`: the owner was emailed; every device works until `releasesAt`
     */
    state: text().notNull(),
    /** How many there were when the owner was emailed. */
    seats: integer(),
    /** When the owner was emailed. */
    announcedAt: integer(),
    /** When devices over the limit are removed. */
    releasesAt: integer(),
  },
  (table) => [
    check("seat_reductions_state", sql`${table.state} in ('due', 'announced')`),
    check("seat_reductions_announced", sql`${table.state} = 'due' or ${table.releasesAt} is not null`),
    index("seat_reductions_by_state").on(table.state, table.releasesAt),
  ],
);

/** Of what devices reported, the values that count: of a `last` meter one per device, of a `maximum` meter one per month. */
export const usageValues = sqliteTable(
  "usage_values",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** A key of the config's `meters`. */
    meter: text().notNull(),
    /** Of a `last` meter the device's id, of a `maximum` meter the month: `2026-11`. */
    part: text().notNull(),
    /** In the meter's unit. */
    value: integer().notNull(),
    /** When it was measured, as the device says. */
    reportedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.meter, table.part] }),
    // Months come before devices in it: old ones are its beginning.
    index("usage_values_old").on(table.part),
  ],
);

// ledger ---------------------------------------------------------------------------------------------------------------

/**
 * Movements of credit, in the order of their rows, never edited: what they say is so. The notes beside it (where it is booked, what
 * of it is over) follow. The sum of an account's lines is its credit, never below zero, and the same at the payment provider.
 */
export const ledgerLines = sqliteTable(
  "ledger_lines",
  {
    /** `line_` and its cause; also the idempotency key under which Stripe books it. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `earned`: credit was added: a reward, a remainder of a plan change, or a gift from the team
     * - `applied`: an order used it; positive when that order was given up
     * - `reversed`: a reward or gift was taken back; positive when an order that used credit was refunded in full
     * - `expired`: `creditMonths` have passed, or the account was erased
     */
    kind: text().notNull(),
    /** Negative where it takes. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    /** One of `whys`. */
    why: text().notNull(),
    /** Whose reward it is about; the referrals module knows it. */
    referralId: text(),
    /** Stripe's id of the invoice that it paid for, or came from. */
    invoiceId: text(),
    /** Of a reward that is taken back: how much of it was used already. */
    owedMinor: integer().notNull().default(0),
    /** When it happened. */
    happenedAt: integer().notNull(),
    /** Of rewards: `creditMonths` later. */
    expiresAt: integer(),
    /** Stripe's id of the customer with whom it is booked. */
    customerId: text(),
    /** Stripe's id of the balance transaction. */
    providerId: text().unique(),
    /** Why a reward is to be taken back. */
    askedBack: text(),
    /** When nothing was left of it: it expired, or was taken back. */
    closedAt: integer(),
  },
  (table) => [
    check("ledger_lines_kind", sql`${table.kind} in ('earned', 'applied', 'reversed', 'expired')`),
    check("ledger_lines_earned", sql`${table.kind} <> 'earned' or ${table.amountMinor} > 0`),
    check("ledger_lines_expired", sql`${table.kind} <> 'expired' or ${table.amountMinor} < 0`),
    /** A reward is earned once, and taken back once. */
    uniqueIndex("ledger_lines_once_per_referral")
      .on(table.referralId, table.kind)
      .where(sql`${table.referralId} is not null`),
    index("ledger_lines_of_account").on(table.accountId),
    index("ledger_lines_to_expire")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null and ${table.closedAt} is null`),
    index("ledger_lines_asked_back")
      .on(table.accountId)
      .where(sql`${table.askedBack} is not null and ${table.closedAt} is null`),
    index("ledger_lines_unbooked")
      .on(table.accountId)
      .where(sql`${table.customerId} is null`),
  ],
);

// waitlist -------------------------------------------------------------------------------------------------------------

/** Places on the waitlist. The rank is counted when it is asked for, never stored. */
export const entries = sqliteTable(
  "entries",
  {
    /** `ent_…`; both links are derived from it. */
    id: text().primaryKey(),
    /** `signup` or `plan:<id>`. */
    gate: text().notNull(),
    /**
     * - `pending`: the emailed link hasn't been followed yet
     * - `waiting`: in line
     * - `invited`: may sign up or buy for `invitationLifeMs`
     * - `joined`: has what it waited for
     * - `resting`: missed `missesMax` invitations; keeps its place and isn't invited until its owner asks
     * - `left`: given up by its owner, or erased with an account
     * - `rejected`: rejected by an operator
     */
    state: text().notNull(),
    /**
     * - `none`: not flagged
     * - `under-review`: possibly the same person twice, or one of many friends from one network: doesn't count and isn't invited until an operator decides
     */
    review: text().notNull().default("none"),
    /** The address as it was typed. */
    email: text().notNull(),
    /** The same, canonical. */
    emailCanonical: text().notNull(),
    /** SHA-256 of the token in the confirmation link; the entry's own page has another. */
    confirmHash: text().notNull().unique(),
    /** SHA-256 of the token in the link of its own page. */
    entryHash: text().notNull().unique(),
    /** What friends' links contain; grants no access. */
    shareCode: text().notNull().unique(),
    /** The entry whose link the user followed; null until the address is proven. */
    referrerId: text(),
    createdAt: integer().notNull(),
    /** `confirmLifeMs` after the request. */
    confirmExpiresAt: integer().notNull(),
    /** When the address was proven. */
    confirmedAt: integer(),
    /** When the place was given up. */
    leftAt: integer(),
    /** Assigned at confirmation, one after the other in each line. */
    number: integer(),
    /** The number, less what friends gave: what the line is sorted by. The triggers of migration 0004 move it. */
    place: integer(),
    /** Friends that count; the triggers count them. */
    friends: integer().notNull().default(0),
    /** Places that it gives to the entry that invited it, while it counts. */
    gift: integer().notNull().default(0),
    /** How many invitations it has had. */
    invitations: integer().notNull().default(0),
    /** How many invitations expired since its owner last asked to stay. */
    missed: integer().notNull().default(0),
    /** JSON: how many entries were ahead, and how many friends counted, at the owner's last two visits. */
    looks: text(),
    /** When the last invitation was sent. */
    invitedAt: integer(),
    /** `invitationLifeMs` later. */
    invitationExpiresAt: integer(),
    /** When the reminder was sent. */
    remindedAt: integer(),
    /** When the invitation was accepted. */
    acceptedAt: integer(),
    /** When the account existed or the plan was paid. */
    joinedAt: integer(),
    /** When the last email about it was queued: that its owner is in, or that there is no gate any more. */
    toldAt: integer(),
    /** The mailbox that the address leads to; null: from before there was this column, and the sweep fills it in. */
    mailbox: text(),
    /** Keyed hash of the network that confirmed it, for a day. */
    networkHash: text(),
  },
  (table) => [
    check(
      "entries_state",
      sql`${table.state} in ('pending', 'waiting', 'invited', 'joined', 'resting', 'left', 'rejected')`,
    ),
    check("entries_review", sql`${table.review} in ('none', 'under-review')`),
    uniqueIndex("entries_one_per_address").on(table.gate, table.emailCanonical),
    uniqueIndex("entries_number").on(table.gate, table.number),
    index("entries_in_line").on(table.gate, table.state, table.place, table.number),
    index("entries_by_number").on(table.gate, table.state, table.number),
    index("entries_unconfirmed")
      .on(table.confirmExpiresAt)
      .where(sql`${table.state} = 'pending'`),
    index("entries_invited")
      .on(table.gate, table.invitationExpiresAt)
      .where(sql`${table.state} = 'invited'`),
    index("entries_untold")
      .on(table.state, table.gate)
      .where(sql`${table.toldAt} is null`),
    index("entries_under_review")
      .on(table.gate, table.number)
      .where(sql`${table.review} = 'under-review'`),
    index("entries_of_address").on(table.emailCanonical),
    index("entries_of_mailbox").on(table.gate, table.mailbox),
    index("entries_without_mailbox")
      .on(table.mailbox)
      .where(sql`${table.mailbox} is null`),
    index("entries_of_network")
      .on(table.referrerId, table.networkHash)
      .where(sql`${table.networkHash} is not null`),
    index("entries_with_network")
      .on(table.confirmedAt)
      .where(sql`${table.networkHash} is not null`),
    index("entries_left")
      .on(table.leftAt)
      .where(sql`${table.state} = 'left'`),
  ],
);

/**
 * How many wait in each stretch of each line: order statistics, by which a rank is a sum of few rows. A bucket of a level holds
 * 2^level places. The triggers of migration 0004 keep it true, whatever statement changes an entry.
 */
export const lineCounts = sqliteTable(
  "line_counts",
  {
    /** Which line, as in `entries`. */
    gate: text().notNull(),
    /** One of `bucketLevels`: a bucket has 2^level places. */
    level: integer().notNull(),
    /** The place, divided by that. */
    bucket: integer().notNull(),
    /** Entries that wait in this bucket. */
    waiting: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gate, table.level, table.bucket] }),
    check("line_counts_waiting", sql`${table.waiting} >= 0`),
  ],
);

/** Groups of entries invited at once, by the cron job or by an operator. The daily limit is counted here. */
export const waves = sqliteTable(
  "waves",
  {
    /** `wav_…` */
    id: text().primaryKey(),
    /** Which line, as in `entries`. */
    gate: text().notNull(),
    /**
     * - `clock`: the daily wave of the cron job
     * - `operator`: an operator, on top of the daily wave
     */
    cause: text().notNull(),
    /** The day of the product's calendar: `2026-11-21`. */
    day: text().notNull(),
    /** How many were invited. */
    size: integer().notNull(),
    /** When it was sent. */
    startedAt: integer().notNull(),
  },
  (table) => [
    check("waves_cause", sql`${table.cause} in ('clock', 'operator')`),
    index("waves_of_day").on(table.gate, table.cause, table.day),
    index("waves_old").on(table.startedAt),
  ],
);

// referrals ------------------------------------------------------------------------------------------------------------

/** An account's own invitation link, created when the page is first opened. */
export const referralLinks = sqliteTable("referral_links", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id),
  /** Ten random letters; grants no access. */
  code: text().notNull().unique(),
  /** Visits counted at the landing page, at most one per browser and thirty days. */
  visits: integer().notNull().default(0),
  createdAt: integer().notNull(),
});

/** The referral link that a browser had opened before it joined the waitlist, since the browser forgets it in thirty days. */
export const referralTouches = sqliteTable("referral_touches", {
  /** No foreign key: an entry that starts over has another id. */
  entryId: text().primaryKey(),
  /** Of a referral link. */
  code: text().notNull(),
  /** When the link was opened. */
  touchedAt: integer().notNull(),
});

/** One row per invited friend: a friend is invited once, by one person, never by themselves. */
export const referrals = sqliteTable(
  "referrals",
  {
    /** `ref_…` */
    id: text().primaryKey(),
    /** The account whose link it was. */
    referrerId: text()
      .notNull()
      .references(() => accounts.id),
    /** The account that followed the link; an account is a friend once. */
    friendId: text()
      .notNull()
      .unique()
      .references(() => accounts.id),
    /**
     * - `signed-up`: the friend's address is proven
     * - `under-review`: one of many sign-ups by one link from one network; continues at `waitsUntil` unless an operator decides
     * - `qualified`: the friend has paid `qualifyingAmountMinor`; the card isn't checked yet
     * - `waiting`: the payment must be kept until `waitsUntil`
     * - `approved`: the credit is in the ledger
     * - `void`: worth nothing; `voidWhy` has the reason
     */
    state: text().notNull(),
    /** When the friend's address was proven. */
    signedUpAt: integer().notNull(),
    /** Under review or waiting: when the cron job continues with it. */
    waitsUntil: integer(),
    /** One of `voidReasons`. */
    voidWhy: text(),
    /** Keyed hashes of the cards by which the friend paid, each between bars. */
    cards: text(),
    /** What an operator wrote when deciding. */
    decision: text(),
    /** When the reward was given. */
    approvedAt: integer(),
    /** When it became void. */
    voidAt: integer(),
  },
  (table) => [
    check(
      "referrals_state",
      sql`${table.state} in ('signed-up', 'qualified', 'waiting', 'approved', 'void', 'under-review')`,
    ),
    check("referrals_not_oneself", sql`${table.referrerId} <> ${table.friendId}`),
    index("referrals_of_referrer").on(table.referrerId, table.signedUpAt),
    index("referrals_due").on(table.state, table.waitsUntil),
  ],
);

/** A friend's discount, refunded to the payment method of the first order: once per friend, order, mailbox and payment method. */
export const friendDiscounts = sqliteTable(
  "friend_discounts",
  {
    /** The referral that promised it. */
    referralId: text()
      .primaryKey()
      .references(() => referrals.id),
    /** The account that gets the discount. */
    friendId: text()
      .notNull()
      .references(() => accounts.id),
    /** The first order that was paid with money. */
    orderId: text()
      .notNull()
      .unique()
      .references(() => orders.id),
    /**
     * - `under-review`: an operator decides; `why` has the reason
     * - `due`: the refund is to be made, unless the payment is disputed or withdrawn from
     * - `paid`: the refund was made, or there was nothing to refund
     * - `refused`: no discount; `why` has the reason
     */
    state: text().notNull(),
    /** One of `discountReviews` or `discountRefusals`. */
    why: text(),
    /** Never more than was paid; 0 where nothing was promised. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    /** Keyed hash of the mailbox; null where another account has it. */
    mailboxHash: text().unique(),
    /** Keyed hash of the payment method; null where another account has it, or Stripe gives no fingerprint. */
    methodHash: text().unique(),
    /** Keyed hash of the address's domain; null for public email providers. */
    domainHash: text(),
    /** What an operator wrote when deciding. */
    decision: text(),
    /** Stripe's id of the refund. */
    refundId: text().unique(),
    createdAt: integer().notNull(),
    /** When it was decided. */
    decidedAt: integer(),
    /** When the refund was made. */
    paidAt: integer(),
  },
  (table) => [
    check("friend_discounts_state", sql`${table.state} in ('under-review', 'due', 'paid', 'refused')`),
    check("friend_discounts_amount", sql`${table.amountMinor} >= 0`),
    index("friend_discounts_of_friend").on(table.friendId),
    index("friend_discounts_of_domain")
      .on(table.domainHash)
      .where(sql`${table.domainHash} is not null`),
    index("friend_discounts_by_state").on(table.state, table.createdAt),
  ],
);

// operators ------------------------------------------------------------------------------------------------------------

/** The operators' log: a line is added before the action, and says afterwards how it ended. */
export const operatorActs = sqliteTable(
  "operator_acts",
  {
    /** `opa_…` */
    id: text().primaryKey(),
    /** Who said to be calling. */
    operator: text().notNull(),
    /**
     * - `began`: under way, or cut off: it may have happened
     * - `done`: it happened
     * - `refused`: it didn't; `refusal` has the reason
     * - `broken`: a bug; the error report has it
     */
    outcome: text().notNull(),
    /** Which call, or which decision. */
    call: text().notNull(),
    /** What it was about: an id or a number of ours, never an address. */
    subject: text(),
    /** Why, in the operator's words; and why it was refused, in ours. */
    reason: text(),
    /** Why it was refused: a reason of `docs/reference/errors.md`. */
    refusal: text(),
    /** When it began. */
    beganAt: integer().notNull(),
  },
  (table) => [
    check("operator_acts_outcome", sql`${table.outcome} in ('began', 'done', 'refused', 'broken')`),
    index("operator_acts_newest").on(table.beganAt),
  ],
);
