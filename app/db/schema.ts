/**
 * All tables, a section per module. Columns in fixed order: id, owner, state, facts, times (milliseconds since 1970 UTC).
 * CHECK for every state, UNIQUE for every "only once", an index named by its question. Tables are STRICT: drizzle can't
 * write that, so the generated migration gets it by hand and a test reads sqlite_master. One file on purpose, longer than
 * others may be: what the database holds is seen in one scroll, and references never cross files.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// mail -----------------------------------------------------------------------------------------------------------------

export const mails = sqliteTable(
  "mails",
  {
    id: text().primaryKey(),
    /** queued, sent, failed (tries used up). */
    state: text().notNull(),
    /** Which template; its data and the recipient are sealed, since codes and addresses travel in them. */
    template: text().notNull(),
    /** Sealed JSON, wiped once the mail has left. */
    sealed: text(),
    tries: integer().notNull().default(0),
    createdAt: integer().notNull(),
    nextTryAt: integer(),
    sentAt: integer(),
  },
  (table) => [
    check("mails_state", sql`${table.state} in ('queued', 'sent', 'failed')`),
    index("mails_due").on(table.state, table.nextTryAt),
    index("mails_old").on(table.createdAt),
  ],
);

// codes ----------------------------------------------------------------------------------------------------------------

export const codes = sqliteTable(
  "codes",
  {
    id: text().primaryKey(),
    /** Canonical address that the code proves. */
    address: text().notNull(),
    addressTyped: text().notNull(),
    /** SHA-256 of the browser cookie that asked. */
    browserHash: text().notNull(),
    purpose: text().notNull(),
    state: text().notNull(),
    /** Keyed HMAC of the eight digits; of no digits where the mail holds no code (log-in without an account). */
    codeHash: text().notNull(),
    wrongTries: integer().notNull().default(0),
    /** JSON that the journey carries along: plan, interval, redirectTo, terms version, referral. */
    carried: text().notNull(),
    /** The one attempt that used it: the id of the session that came of it. */
    claim: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    usedAt: integer(),
    /** Whose account a change of address or a re-authentication is about; null where the address itself says it. */
    accountId: text(),
    /** The mail that brings the code: its life counts from when that has left. */
    mailId: text(),
    /** JSON: what the budgets of its address and browser are called, keyed hashes as there. */
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

/** One row per use of a budget: a wrong try or a mailed code. Budgets are keyed hashes of an address, a browser, an IP. */
export const quotaHits = sqliteTable(
  "budget_uses",
  {
    id: text().primaryKey(),
    quota: text("budget").notNull(),
    usedAt: integer().notNull(),
  },
  (table) => [index("budget_uses_within").on(table.quota, table.usedAt), index("budget_uses_old").on(table.usedAt)],
);

/** Wrong tries in a row, across hours: a hundred pause the budget. */
export const wrongStreaks = sqliteTable(
  "wrong_streaks",
  {
    quota: text("budget").primaryKey(),
    count: integer().notNull(),
    pausedUntil: integer(),
    lastWrongAt: integer().notNull().default(0),
  },
  (table) => [index("wrong_streaks_old").on(table.lastWrongAt)],
);

export const knownBrowsers = sqliteTable(
  "known_browsers",
  {
    /** Keyed hash of the canonical address. */
    addressHash: text().notNull(),
    browserHash: text().notNull(),
    lastUsedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.addressHash, table.browserHash] }),
    index("known_browsers_old").on(table.lastUsedAt),
  ],
);

// accounts -------------------------------------------------------------------------------------------------------------

export const accounts = sqliteTable(
  "accounts",
  {
    id: text().primaryKey(),
    state: text().notNull(),
    email: text().notNull(),
    emailCanonical: text().notNull().unique(),
    name: text(),
    locale: text().notNull(),
    timeZone: text().notNull(),
    termsVersion: text().notNull(),
    createdAt: integer().notNull(),
    /** Set while it is leaving: until then its owner may have it back. */
    leavingUntil: integer(),
    goneAt: integer(),
    /** JSON list of the kinds of mail that its owner has switched off. */
    mailsOff: text().notNull().default("[]"),
    /** Its mailbox has its row in `customer_marks` since then; null: the sweep adds it. */
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
 * Keyed hashes of mailboxes and payment methods, each with the account that was first to have it: what is offered to new customers is
 * given once for each. Kept when the account is erased, like markers of deleted addresses.
 */
export const customerMarks = sqliteTable(
  "customer_marks",
  {
    hash: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    kind: text().notNull(),
    firstAt: integer().notNull(),
  },
  (table) => [
    check("customer_marks_kind", sql`${table.kind} in ('mailbox', 'payment-method')`),
    index("customer_marks_of_account").on(table.accountId),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    state: text().notNull(),
    tokenHash: text().notNull().unique(),
    /** "Firefox on Linux": what a person recognises, not the header. */
    device: text().notNull(),
    place: text(),
    createdAt: integer().notNull(),
    /** When the person last proved the address or a passkey. */
    provenAt: integer().notNull(),
    lastUsedAt: integer().notNull(),
    expiresAt: integer().notNull(),
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

/** What happened to an account, for its owner to see: who, what, when, where, how it ended. Never a code or a token. */
export const activities = sqliteTable(
  "activities",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    what: text().notNull(),
    /** "Firefox on Linux" and a country, as the session has them; null where nobody sat at a browser. */
    device: text(),
    place: text(),
    happenedAt: integer().notNull(),
    /** `done` or `refused`; with the reason for a refusal. */
    result: text().notNull().default("done"),
    reason: text(),
    /** By what it was done: a session, a code, a passkey … */
    method: text(),
    /** Abbreviated: a /24 of IPv4, a /48 of IPv6. */
    network: text(),
  },
  (table) => [
    index("activities_of_account").on(table.accountId, table.happenedAt),
    index("activities_by_time").on(table.happenedAt),
  ],
);

/** A change of address that its owner may take back by the link in the mail to the old one. */
export const addressChanges = sqliteTable(
  "address_changes",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    state: text().notNull(),
    fromEmail: text().notNull(),
    fromCanonical: text().notNull(),
    toEmail: text().notNull(),
    toCanonical: text().notNull(),
    /** SHA-256 of the token in the mailed link. */
    revertHash: text().notNull().unique(),
    changedAt: integer().notNull(),
    revertExpiresAt: integer().notNull(),
    revertedAt: integer(),
  },
  (table) => [
    check("address_changes_state", sql`${table.state} in ('changed', 'reverted', 'overtaken')`),
    index("address_changes_of_account").on(table.accountId, table.changedAt),
    index("address_changes_held").on(table.fromCanonical, table.revertExpiresAt),
    index("address_changes_old").on(table.changedAt),
  ],
);

/** Addresses that an account had before its present one, to be erased with it: what stands elsewhere goes by the address. */
export const formerAddresses = sqliteTable(
  "former_addresses",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The canonical address, under a key from the pepper. */
    sealed: text().notNull(),
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
 * Who was here and left, as keyed hashes: of each canonical address and, of whoever had paid, of its domain, unless a public mail provider's.
 * Rewards for a first time are earned once.
 */
export const deletedAddresses = sqliteTable("tombstones", {
  addressHash: text().primaryKey(),
  goneAt: integer().notNull(),
});

// passkeys -------------------------------------------------------------------------------------------------------------

export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** Base64url, as the authenticator names it. */
    credentialId: text().notNull().unique(),
    /** COSE key in base64url. */
    publicKey: text().notNull(),
    counter: integer().notNull(),
    /** JSON list of how the authenticator can be reached; a hint to the browser. */
    transports: text().notNull(),
    name: text().notNull(),
    /** Who keeps it ("iCloud Keychain"), as far as its model is known. */
    provider: text(),
    createdAt: integer().notNull(),
    lastUsedAt: integer(),
  },
  (table) => [index("passkeys_of_account").on(table.accountId, table.createdAt)],
);

/** A challenge is a signed text that needs no row until it is used; used once, it stands here until it has run out. */
export const usedChallenges = sqliteTable(
  "used_challenges",
  {
    challengeHash: text().primaryKey(),
    /** The one attempt that used it. */
    claim: text().notNull(),
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
  chosen: text().notNull(),
  version: integer().notNull(),
  updatedAt: integer().notNull(),
  /** The device that made the last change; null: its owner did, on the page. */
  changedBy: text(),
  /** What was chosen before devices changed it; null: none did since its owner last saved. */
  beforeDevices: text(),
});

// plans ----------------------------------------------------------------------------------------------------------------

/** The payment provider's customer of an account: created once, under the account's id as idempotency key. */
export const customers = sqliteTable(
  "customers",
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    providerId: text().notNull().unique(),
    createdAt: integer().notNull(),
    /** What the provider takes off the next charges, in minor units of the config's currency. */
    creditMinor: integer().notNull().default(0),
    syncedAt: integer().notNull().default(0),
    /** When the clock last asked the provider about it of its own accord: everybody's turn comes. */
    askedAt: integer().notNull().default(0),
    /** Up to which answer, by its `syncedAt`, the ledger has followed; 0 of somebody who never had credit. */
    ledgerSyncedAt: integer().notNull().default(0),
    /** When the methods by which they had paid by then were noted; null of customers from before there were marks. */
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

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    /** The provider's id. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    state: text().notNull(),
    planId: text().notNull(),
    interval: text().notNull(),
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    cardBrand: text(),
    cardLast4: text(),
    cardExpires: text(),
    startedAt: integer().notNull(),
    /** The provider's period end: next charge, or end when it is cancelled. */
    periodEndsAt: integer().notNull(),
    /** Set: it ends then and renews no more. */
    cancelsAt: integer(),
    pastDueSince: integer(),
    endedAt: integer(),
    syncedAt: integer().notNull(),
    /** What was chosen to begin later, and when it does: set together. */
    pendingPlanId: text(),
    pendingInterval: text(),
    pendingAt: integer(),
    /** `automatic`, or `on-hold`: somebody told the provider not to collect. */
    collection: text().notNull().default("automatic"),
    /** A renewal whose invoice is drawn and goes out at `comingAt`: its sum, before the balance. Both or none. */
    comingMinor: integer(),
    comingAt: integer(),
    /** What the next renewal comes to with the discounts that the team gave, before the balance; null: the price. */
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

/** Paid plans that the config has or had, so that a plan that is taken out of it goes on for its subscribers. */
export const soldPlans = sqliteTable("sold_plans", {
  planId: text().primaryKey(),
  /** JSON: name, tagline, prices (null: the free plan), limits, points; null where it was sold before plans were stored. */
  plan: text(),
  /** When it was found to have subscribers while the config lacks it, which is reported then. */
  missingSince: integer(),
});

// orders ---------------------------------------------------------------------------------------------------------------

export const orders = sqliteTable(
  "orders",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    state: text().notNull(),
    dispute: text().notNull().default("none"),
    kind: text().notNull(),
    planId: text().notNull(),
    interval: text().notNull(),
    currency: text().notNull(),
    /** What is charged, tax included. */
    amountMinor: integer().notNull(),
    taxMinor: integer().notNull().default(0),
    discountMinor: integer().notNull().default(0),
    creditMinor: integer().notNull().default(0),
    refundedMinor: integer().notNull().default(0),
    /** `YYYY-NNNNNN`, gapless per year, assigned in the statement that sets the order to paid. */
    numberYear: integer(),
    numberInYear: integer(),
    checkoutId: text().unique(),
    /** Where it can be paid while it is open: the checkout, or the page of an invoice. */
    checkoutUrl: text(),
    invoiceId: text().unique(),
    receiptUrl: text(),
    /** Why a payment failed, as a class of ours; null when none did. */
    failure: text(),
    /** JSON: name, address lines, VAT ids as they stood when it was paid. */
    billedTo: text(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    paidAt: integer(),
    /** When the provider was asked for what stands here: an answer that was asked for earlier never overwrites it. */
    syncedAt: integer(),
    updatedAt: integer().notNull(),
    /** Payments that were tried for it, and when the provider tries by itself again. */
    attempts: integer().notNull().default(0),
    nextTryAt: integer(),
    /** The moment by which a change of plan was reckoned, in the quote and in the charge. */
    prorationAt: integer(),
    /** Of `refundedMinor`: what went back as the discount of a friend. */
    friendDiscountMinor: integer().notNull().default(0),
    /** JSON: the seller's name, address and VAT ID when it was paid; null: it isn't, or was before this was kept. */
    seller: text(),
    /** JSON: net amount and each tax with its rate, where the provider charged any. */
    taxes: text(),
    /** By when the dispute has to be answered; null: there is none that asks for an answer, or the bank takes none. */
    disputeDueAt: integer(),
    /** Whether it was paid isn't known before the provider has answered a question asked at this time or later; null: it is known. */
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

export const orderLines = sqliteTable(
  "order_lines",
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    position: integer().notNull(),
    description: text().notNull(),
    amountMinor: integer().notNull(),
    periodStartsAt: integer(),
    periodEndsAt: integer(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.position] })],
);

/** The order's timeline: one line per thing that happened, once per cause. */
export const orderMoments = sqliteTable(
  "order_moments",
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    /** The state it moved to, or another word for what happened. */
    what: text().notNull(),
    /** Which one, of what can happen more than once: a refund's id, the number of a try. A repeat adds nothing. */
    cause: text().notNull().default(""),
    amountMinor: integer(),
    happenedAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.what, table.cause] })],
);

/** Declarations of withdrawal from a contract, as they were made; anybody may make one, for any number. */
export const withdrawals = sqliteTable(
  "withdrawals",
  {
    id: text().primaryKey(),
    /** The order that is meant, when there is one with that number and address. */
    orderId: text().references(() => orders.id),
    state: text().notNull(),
    name: text().notNull(),
    orderTyped: text().notNull(),
    /** Canonical: it is asked for by whoever has an account with it. */
    email: text().notNull(),
    declaredAt: integer().notNull(),
    acknowledgedAt: integer(),
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

/** Inbox of the payment provider's events. An event is only a hint; the row says that we heard it. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text().primaryKey(),
    state: text().notNull(),
    type: text().notNull(),
    customerId: text(),
    tries: integer().notNull().default(1),
    receivedAt: integer().notNull(),
    settledAt: integer(),
    /** Which payment it is about, where it names no customer: a dispute. */
    paymentId: text(),
  },
  (table) => [
    check("webhook_events_state", sql`${table.state} in ('received', 'handled', 'failed', 'ignored')`),
    index("webhook_events_unsettled").on(table.state, table.receivedAt),
  ],
);

/** How far the clock has come with what it does in portions. */
export const sweepMarks = sqliteTable("sweep_marks", {
  name: text().primaryKey(),
  mark: text().notNull(),
});

// devices --------------------------------------------------------------------------------------------------------------

/** What activates devices of an account: one key at a time, made when it is first asked for. */
export const licenceKeys = sqliteTable("licence_keys", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id),
  /** SHA-256 of the key. */
  keyHash: text().notNull().unique(),
  /** The key itself under a key from the pepper, for its owner to see after a re-authentication. */
  sealed: text().notNull(),
  createdAt: integer().notNull(),
  rotatedAt: integer(),
});

/** An installation of the product. One that was removed stays for a while: what was activated lately is counted. */
export const devices = sqliteTable(
  "devices",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    state: text().notNull(),
    /** Keyed hash of what the product knows the machine by. */
    fingerprintHash: text().notNull(),
    name: text().notNull(),
    platform: text().notNull(),
    activatedAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
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

/** Accounts whose plan changed while they had devices: until it is clear that there are seats for all of them, or the rest is removed. */
export const seatReductions = sqliteTable(
  "seat_reductions",
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    state: text().notNull(),
    /** As many as there were when the owner was emailed. */
    seats: integer(),
    announcedAt: integer(),
    /** Then devices over the limit are removed. */
    releasesAt: integer(),
  },
  (table) => [
    check("seat_reductions_state", sql`${table.state} in ('due', 'announced')`),
    check("seat_reductions_announced", sql`${table.state} = 'due' or ${table.releasesAt} is not null`),
    index("seat_reductions_by_state").on(table.state, table.releasesAt),
  ],
);

/** What counts of all that devices reported: of a meter's last values one per device, of its maxima one per month. */
export const usageValues = sqliteTable(
  "usage_values",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** A key of the config's. */
    meter: text().notNull(),
    /** Of a last value the id of the device that reported it, of a maximum its month: `2026-11`. */
    part: text().notNull(),
    value: integer().notNull(),
    /** When it was so, by the device's own word. */
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
    /** The name of its cause, and the idempotency key under which the provider books it. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    kind: text().notNull(),
    /** Below zero where it takes. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    why: text().notNull(),
    /** Whose reward it is about; the referrals module knows it. */
    referralId: text(),
    /** The provider's invoice that it paid for, or came of. */
    invoiceId: text(),
    /** Of what was to be taken: so much was used already. */
    owedMinor: integer().notNull().default(0),
    happenedAt: integer().notNull(),
    expiresAt: integer(),
    /** The provider's customer with whom it is booked, and under which name there. */
    customerId: text(),
    providerId: text().unique(),
    /** Why a reward is asked back; a line that takes it follows. */
    askedBack: text(),
    /** Nothing more comes of it: it ran out, or was asked back, and a line says so. */
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

export const entries = sqliteTable(
  "entries",
  {
    id: text().primaryKey(),
    /** `signup` or `plan:<id>`. */
    gate: text().notNull(),
    state: text().notNull(),
    review: text().notNull().default("none"),
    email: text().notNull(),
    emailCanonical: text().notNull(),
    /** SHA-256 of the token in the confirmation link; the entry's own page has another. */
    confirmHash: text().notNull().unique(),
    entryHash: text().notNull().unique(),
    /** What friends' links carry. */
    shareCode: text().notNull().unique(),
    referrerId: text(),
    createdAt: integer().notNull(),
    confirmExpiresAt: integer().notNull(),
    confirmedAt: integer(),
    leftAt: integer(),
    /** Given at confirmation, one after the other in each line. */
    number: integer(),
    /** The number, less what friends gave: what the line is sorted by. The triggers of migration 0004 move it. */
    place: integer(),
    /** Friends that count; the triggers count them. */
    friends: integer().notNull().default(0),
    /** Places that it gives to whoever brought it, while it counts. */
    gift: integer().notNull().default(0),
    /** How often it was invited; and how many of those it missed since its owner last asked. */
    invitations: integer().notNull().default(0),
    missed: integer().notNull().default(0),
    /** JSON: where it stood when its owner looked last, and the time before. */
    looks: text(),
    invitedAt: integer(),
    invitationExpiresAt: integer(),
    remindedAt: integer(),
    acceptedAt: integer(),
    joinedAt: integer(),
    /** The last mail about it was queued: that its owner is in, or that the doors are open. */
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
    gate: text().notNull(),
    level: integer().notNull(),
    bucket: integer().notNull(),
    waiting: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gate, table.level, table.bucket] }),
    check("line_counts_waiting", sql`${table.waiting} >= 0`),
  ],
);

/** So many were invited at once, by the clock or by an operator. What the clock may invite in a day is counted here. */
export const waves = sqliteTable(
  "waves",
  {
    id: text().primaryKey(),
    gate: text().notNull(),
    cause: text().notNull(),
    /** The day of the product's calendar: `2026-11-21`. */
    day: text().notNull(),
    size: integer().notNull(),
    startedAt: integer().notNull(),
  },
  (table) => [
    check("waves_cause", sql`${table.cause} in ('clock', 'operator')`),
    index("waves_of_day").on(table.gate, table.cause, table.day),
    index("waves_old").on(table.startedAt),
  ],
);

// referrals ------------------------------------------------------------------------------------------------------------

export const referralLinks = sqliteTable("referral_links", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id),
  code: text().notNull().unique(),
  /** Visits counted at the landing page, at most one per browser and thirty days. */
  visits: integer().notNull().default(0),
  createdAt: integer().notNull(),
});

/** Whose link somebody had opened who then joined the waitlist: kept with the entry, since a browser forgets in thirty days. */
export const referralTouches = sqliteTable("referral_touches", {
  /** No foreign key: an entry that begins anew has another id. */
  entryId: text().primaryKey(),
  code: text().notNull(),
  touchedAt: integer().notNull(),
});

export const referrals = sqliteTable(
  "referrals",
  {
    id: text().primaryKey(),
    referrerId: text()
      .notNull()
      .references(() => accounts.id),
    /** A friend is brought once, by one person. */
    friendId: text()
      .notNull()
      .unique()
      .references(() => accounts.id),
    state: text().notNull(),
    signedUpAt: integer().notNull(),
    /** Under review or waiting: until the clock goes on with it. */
    waitsUntil: integer(),
    /** Why it is void. */
    voidWhy: text(),
    /** Keyed hashes of the cards by which the friend paid, each between bars: a card counts for one friend. */
    cards: text(),
    /** What an operator wrote of a decision. */
    decision: text(),
    approvedAt: integer(),
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

/** A friend's discount, which goes back to the payment method of the first order: once per friend, order, mailbox and payment method. */
export const friendDiscounts = sqliteTable(
  "friend_discounts",
  {
    referralId: text()
      .primaryKey()
      .references(() => referrals.id),
    friendId: text()
      .notNull()
      .references(() => accounts.id),
    orderId: text()
      .notNull()
      .unique()
      .references(() => orders.id),
    state: text().notNull(),
    /** Under review or refused: why. */
    why: text(),
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    /** Keyed hashes. Null: unknown, or another friend's already. Of a public mail provider the domain is null. */
    mailboxHash: text().unique(),
    methodHash: text().unique(),
    domainHash: text(),
    /** What an operator wrote of a decision. */
    decision: text(),
    /** The provider's name for the refund. */
    refundId: text().unique(),
    createdAt: integer().notNull(),
    decidedAt: integer(),
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

/** What operators asked and did: append-only, but for how it ended. */
export const operatorActs = sqliteTable(
  "operator_acts",
  {
    id: text().primaryKey(),
    /** Who said to be calling. */
    operator: text().notNull(),
    outcome: text().notNull(),
    /** Which call. */
    call: text().notNull(),
    /** What it was about: an id or a number of ours, never an address. */
    subject: text(),
    /** Why, in the operator's words; and why it was refused, in ours. */
    reason: text(),
    refusal: text(),
    beganAt: integer().notNull(),
  },
  (table) => [
    check("operator_acts_outcome", sql`${table.outcome} in ('began', 'done', 'refused', 'broken')`),
    index("operator_acts_newest").on(table.beganAt),
  ],
);
