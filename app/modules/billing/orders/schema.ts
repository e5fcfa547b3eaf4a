import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { disputes, orderFailures, orderStates, openStates, mismatches } from "./states.rules.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { oneOf, literals } from "#app/db/one-of.ts";
import { billingReasons, openDisputes } from "#app/core/stripe/states.ts";
import { intervals } from "#app/core/time/interval.ts";
import { historyEventNames } from "./history-events.rules.ts";

/** One charge each: a first payment, a renewal or a change of plan. */
export const orders = sqliteTable(
  "orders",
  {
    /** `ord_…`, also the idempotency key of its checkout. */
    id: text().$type<OrderId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `draft`: a plan was chosen; no checkout exists yet
     * - `pending`: the checkout is open
     * - `processing`: the bank is processing the payment
     * - `needs-action`: the bank asks the customer for a confirmation
     * - `paid`: the order has its number
     * - `partially-refunded`: part of the money was refunded
     * - `refunded`: all of the money was refunded
     * - `failed`: the last try was declined; the checkout may still be open
     * - `cancelled`: given up or replaced by another choice; a payment that still arrives counts
     * - `expired`: the checkout expired; a payment that still arrives counts
     */
    state: text({ enum: orderStates }).notNull(),
    /**
     * - `none`: no dispute
     * - `needs-response`: the customer's bank asks for evidence
     * - `under-review`: the bank decides
     * - `won`: the money stays
     * - `lost`: the money went back to the customer
     */
    dispute: text({ enum: disputes }).notNull().default("none"),
    /**
     * - `new-plan`: a first payment through our checkout
     * - `renewal`: the invoice of a later period
     * - `change`: any other invoice, such as a plan change
     */
    kind: text({ enum: billingReasons }).notNull(),
    planId: text().notNull(),
    interval: text({ enum: intervals }).notNull(),
    currency: text().notNull(),
    /** The amount charged, tax included. */
    amountMinor: integer().notNull(),
    /** The tax included in `amountMinor`. */
    taxMinor: integer().notNull().default(0),
    /** What a coupon took off at the checkout; not part of `amountMinor`. */
    discountMinor: integer().notNull().default(0),
    /** The credit that was used, negative for credit that was added. Until the order is paid, everything that the balance takes off. */
    creditMinor: integer().notNull().default(0),
    /** How much of that credit goes back to the balance, because the order or what was left of its contract was refunded. */
    creditReturnedMinor: integer().notNull().default(0),
    refundedMinor: integer().notNull().default(0),
    /** The year of the number `YYYY-NNNNNN`, in the seller's calendar. The statement that marks the order paid assigns it. */
    numberYear: integer(),
    /** The number within that year, without gaps. */
    numberInYear: integer(),
    checkoutId: text().$type<CheckoutId>().unique(),
    /** Where the order can be paid while it is open: the checkout, or the page of an invoice. */
    checkoutUrl: text(),
    invoiceId: text().$type<InvoiceId>().unique(),
    /** The URL of Stripe's own receipt. */
    receiptUrl: text(),
    /** Why a payment failed, one of `orderFailures`; of a paid order that it isn't what was asked for, and what became of it. */
    failure: text({ enum: orderFailures }),
    createdAt: integer().notNull(),
    /** When the draft or its checkout expires. */
    expiresAt: integer(),
    /** Set exactly when the order has a number. */
    paidAt: integer(),
    /** The customer's time zone when it was paid, in which the day that can still be withdrawn on was promised. */
    buyerTimeZone: text(),
    /** When Stripe was asked for what this row says; an earlier answer never overwrites a later one. */
    syncedAt: integer(),
    updatedAt: integer().notNull(),
    attempts: integer().notNull().default(0),
    /** When Stripe retries the payment on its own. */
    nextTryAt: integer(),
    /** The time by which a plan change was prorated, in the quote and in the charge. */
    prorationAt: integer(),
    /** The part of `refundedMinor` that was refunded as a friend's discount. */
    friendDiscountMinor: integer().notNull().default(0),
    /** By when the dispute has to be answered, as Stripe says. Null once it is, or where the bank takes no answer. */
    disputeDueAt: integer(),
    /**
     * Set while the order may have been paid and Stripe hasn't answered. The first answer to a call made at this time or later clears it.
     */
    unconfirmedUntil: integer(),
  },
  (table) => [
    oneOf("orders_state", table.state, orderStates),
    oneOf("orders_dispute", table.dispute, disputes),
    oneOf("orders_kind", table.kind, billingReasons),
    oneOf("orders_interval", table.interval, intervals),
    oneOf("orders_failure", table.failure, orderFailures),
    check("orders_number_when_paid", sql`(${table.numberYear} is null) = (${table.paidAt} is null)`),
    uniqueIndex("orders_number").on(table.numberYear, table.numberInYear),
    /** Two clicks or two tabs begin one purchase: an account has only one open. */
    uniqueIndex("orders_one_open")
      .on(table.accountId)
      .where(sql`${table.kind} <> 'renewal' and ${table.state} in ${literals(openStates)}`),
    index("orders_of_account").on(table.accountId, table.createdAt, table.id),
    /** For the filtered list, in its order. */
    index("orders_of_state").on(table.accountId, table.state, table.createdAt, table.id),
    index("orders_of_year").on(table.accountId, table.numberYear, table.createdAt, table.id),
    index("orders_of_both").on(table.accountId, table.state, table.numberYear, table.createdAt, table.id),
    index("orders_open").on(table.state, table.createdAt),
    index("orders_by_change").on(table.updatedAt),
    index("orders_unconfirmed")
      .on(table.accountId)
      .where(sql`${table.unconfirmedUntil} is not null`),
    /** For operators: payments that weren't what was asked for. */
    index("orders_mismatched")
      .on(table.paidAt)
      .where(sql`${table.failure} in ${literals(mismatches)}`),
    index("orders_disputed")
      .on(table.paidAt)
      .where(sql`${table.dispute} in ${literals(openDisputes)}`),
  ],
);

export const orderLines = sqliteTable(
  "order_lines",
  {
    orderId: text()
      .$type<OrderId>()
      .notNull()
      .references(() => orders.id),
    /** The line's position on the invoice, from 0. */
    position: integer().notNull(),
    description: text().notNull(),
    /** Negative for what the line takes off. */
    amountMinor: integer().notNull(),
    periodStartsAt: integer(),
    periodEndsAt: integer(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.position] })],
);

/** An order's history: one row per event and occurrence. */
export const historyEvents = sqliteTable(
  "history_events",
  {
    orderId: text()
      .$type<OrderId>()
      .notNull()
      .references(() => orders.id),
    /** The state that the order reached, or another event. */
    what: text({ enum: historyEventNames }).notNull(),
    /** Tells apart what can happen more than once: a refund's id, the number of a try. */
    occurrence: text().notNull().default(""),
    /** The amount of a refund or a dispute. */
    amountMinor: integer(),
    happenedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.what, table.occurrence] }),
    oneOf("history_events_what", table.what, historyEventNames),
  ],
);
