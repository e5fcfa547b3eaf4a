import type { CustomerId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { type Column, type SQL, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accounts } from "#app/modules/accounts/schema.ts";
import { literals, oneOf } from "#app/db/one-of.ts";
import { intervals } from "#app/core/time/interval.ts";
import { collections, endCauses, pauseCauses } from "#app/core/stripe/states.ts";
import { reasonsToCancel as reasons } from "./cancellation-reasons.rules.ts";
import { planlessStates, subscriptionStates } from "./rules.ts";
import { unclaimedReasons } from "./unclaimed-customers.rules.ts";

/**
 * Stripe's customer of an account, created once under the account's id as idempotency key. Kept when an account that has paid is erased:
 * refunds and disputes are followed by the id of the deleted customer.
 */
export const customers = sqliteTable(
  "customers",
  {
    accountId: text()
      .$type<AccountId>()
      .primaryKey()
      .references(() => accounts.id),
    providerId: text().$type<CustomerId>().notNull().unique(),
    createdAt: integer().notNull(),
    /** What Stripe takes off the next charges, in minor units of the config's currency. Negative for what it adds. */
    creditMinor: integer().notNull().default(0),
    /** When Stripe was asked for the answer stored here; an earlier answer never overwrites a later one. */
    syncedAt: integer().notNull().default(0),
    /** When Stripe was last asked about the customer. */
    askedAt: integer().notNull().default(0),
    /** The `syncedAt` of the last answer that the ledger has followed. 0 if the customer never had credit. */
    ledgerSyncedAt: integer().notNull().default(0),
    /** When the payment methods used until then were hashed. Null for a customer older than the hashes. */
    methodsHashedAt: integer(),
  },
  (table) => [
    index("customers_by_turn").on(table.askedAt),
    index("customers_unhashed")
      .on(table.createdAt)
      .where(sql`${table.methodsHashedAt} is null`),
    index("customers_ledger_behind")
      .on(table.syncedAt)
      .where(
        sql`${table.syncedAt} > ${table.ledgerSyncedAt} and (${table.creditMinor} <> 0 or ${table.ledgerSyncedAt} > 0)`,
      ),
  ],
);

/**
 * Customers at Stripe with a plan of this site that belong to no account: somebody created them in the dashboard. Each waits for an
 * operator, or for somebody who proves its address.
 */
export const unclaimedCustomers = sqliteTable(
  "unclaimed_customers",
  {
    providerId: text().$type<CustomerId>().primaryKey(),
    planId: text().notNull(),
    /**
     * - `no-account`: nobody has signed up with its address
     * - `account-closed`: the account with its address is closed
     * - `other-customer`: that account has another customer, which it has paid with
     * - `other-shop`: it pays for something that isn't sold here, too
     */
    reason: text({ enum: unclaimedReasons }).notNull(),
    /** The account that has its address. */
    accountId: text()
      .$type<AccountId>()
      .references(() => accounts.id),
    foundAt: integer().notNull(),
    /** When the site last asked Stripe and looked for an account. */
    lookedAt: integer().notNull(),
  },
  (table) => [
    oneOf("unclaimed_customers_reason", table.reason, unclaimedReasons),
    index("unclaimed_customers_by_turn").on(table.lookedAt),
    index("unclaimed_customers_by_time").on(table.foundAt, table.providerId),
    index("unclaimed_customers_by_account").on(table.accountId),
  ],
);

/**
 * When something is to happen next to a plan: its renewal or end, a scheduled change, or the charge of an invoice that exists. As plain SQL
 * for queries and their index alike: SQLite allows no table names in an index's expression.
 */
export const nextHappeningAt = sql`min(period_ends_at, coalesce(pending_at, period_ends_at), coalesce(coming_at, period_ends_at))`;

/**
 * Whether a subscription's state is one of `keepingStates`. The words of partial indexes such as `subscriptions_one_running`, or SQLite wouldn't
 * use them.
 */
export function keepsPlan(state: Column | SQL): SQL {
  return sql`${state} not in ${literals(planlessStates)}`;
}

/** A copy of what Stripe said last about each subscription; Stripe decides about money. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text().$type<SubscriptionId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `active`: paid for
     * - `past-due-grace`: a renewal failed; access continues for `graceMs`
     * - `past-due-locked`: still unpaid after the grace period, or an earlier renewal within `unpaidGraceWindowMs` was never paid
     * - `incomplete`: nothing has been paid yet
     * - `unpaid`: Stripe has stopped trying to collect, or paused the plan when a renewal failed, which can still be paid
     * - `paused`: paused at Stripe, and nothing is owed; a plan bought now replaces it once it is paid
     * - `ended`: over
     */
    state: text({ enum: subscriptionStates }).notNull(),
    /** A plan of the config, or of `sold_plans`. */
    planId: text().notNull(),
    interval: text({ enum: intervals }).notNull(),
    /** The price per interval, tax included. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    /** The brand of the card that is charged, or Stripe's name of another payment method. */
    cardBrand: text(),
    /** Last four digits of that card or bank account. */
    cardLast4: text(),
    /** The card's last month, as `YYYY-MM`. */
    cardExpires: text(),
    startedAt: integer().notNull(),
    /** When the next charge is made, or a cancelled plan ends. */
    periodEndsAt: integer().notNull(),
    /** When a cancelled plan ends. Null if the plan renews. */
    cancelsAt: integer(),
    /** Whether it was renewed for a year and ends with a month's notice, so that the rest of the year is refunded. */
    endsByNotice: integer({ mode: "boolean" }).notNull().default(false),
    /** When the oldest unpaid invoice was issued. */
    pastDueSince: integer(),
    endedAt: integer(),
    /** When Stripe was asked for this row; an earlier answer never overwrites a later one. */
    syncedAt: integer().notNull(),
    pendingPlanId: text(),
    /** The billing interval of that plan. */
    pendingInterval: text({ enum: intervals }),
    /** When the scheduled change takes effect. */
    pendingAt: integer(),
    /** What it charges then, at the price that Stripe has scheduled. Without one, the config's price applies. */
    pendingMinor: integer(),
    /** `automatic`, or `on-hold` while the team has paused collection at Stripe. */
    collection: text({ enum: collections }).notNull().default("automatic"),
    /** The amount, before the balance, of a renewal whose invoice exists and is charged at `comingAt`. */
    comingMinor: integer(),
    /** When that invoice is charged. */
    comingAt: integer(),
    /** The amount of the next renewal, before the balance, with discounts that the team gave at Stripe. Null if the price applies. */
    renewalMinor: integer(),
    /** Until then nothing is paid for it: a trial that the team gave at Stripe. */
    trialEndsAt: integer(),
    /**
     * Why Stripe paused it, as long as it is:
     * - `requested`: by the team, or by the customer in the portal where the team allows that
     * - `trial-ended`: a trial ended without a payment method
     * - `first-payment-failed`, `final-payment-failed`: a renewal failed, and the team has set at Stripe that this pauses plans
     * - `system`: by Stripe itself, or for a reason that this release doesn't know
     */
    pauseCause: text({ enum: pauseCauses }),
    /**
     * Why it ended, unless its owner or the team ended it:
     * - `payment-failed`: its renewal wasn't paid in time
     * - `duplicate`: a newer one of the same account ran
     */
    endCause: text({ enum: endCauses }),
    /** What Stripe refused to refund of one that ended as a `duplicate`, until it has come back. */
    refundOwedMinor: integer().notNull().default(0),
  },
  (table) => [
    oneOf("subscriptions_state", table.state, subscriptionStates),
    oneOf("subscriptions_interval", table.interval, intervals),
    oneOf("subscriptions_pending_interval", table.pendingInterval, intervals),
    oneOf("subscriptions_collection", table.collection, collections),
    oneOf("subscriptions_pause_cause", table.pauseCause, pauseCauses),
    oneOf("subscriptions_end_cause", table.endCause, endCauses),
    uniqueIndex("subscriptions_one_running").on(table.accountId).where(keepsPlan(table.state)),
    index("subscriptions_to_review")
      .on(table.endedAt, table.id)
      .where(sql`(${table.pauseCause} is not null or ${table.endCause} is not null)`),
    index("subscriptions_of_account").on(table.accountId, table.startedAt),
    index("subscriptions_by_state").on(table.state, table.periodEndsAt),
    index("subscriptions_by_next_happening").on(nextHappeningAt).where(keepsPlan(table.state)),
    index("subscriptions_of_plan").on(table.planId).where(keepsPlan(table.state)),
    index("subscriptions_past_due")
      .on(table.pastDueSince)
      .where(sql`${table.state} = 'past-due-grace'`),
  ],
);

/** Why a plan was cancelled, as its owner says if asked; one answer for each subscription, the last one. */
export const cancellationReasons = sqliteTable(
  "cancellation_reasons",
  {
    subscriptionId: text()
      .$type<SubscriptionId>()
      .primaryKey()
      .references(() => subscriptions.id),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `too-expensive`: it costs too much
     * - `unused`: it isn't used enough
     * - `feature-missing`: a feature is missing
     * - `unreliable`: it didn't work reliably
     * - `other-product`: another product was chosen
     * - `other`: none of these
     */
    reason: text({ enum: reasons }).notNull(),
    /** The owner's own words; removed when the account is erased. */
    comment: text(),
    /** When the last answer was given. */
    givenAt: integer().notNull(),
  },
  (table) => [
    oneOf("cancellation_reasons_reason", table.reason, reasons),
    index("cancellation_reasons_of_account").on(table.accountId),
    index("cancellation_reasons_by_time").on(table.givenAt),
  ],
);
