import type { RefundId } from "#app/core/stripe/ids.ts";
import type { AccountId, EntryId, OrderId, ReferralId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { oneOf } from "#app/db/one-of.ts";
import { discountRefusals, discountReviews, discountStates } from "#app/modules/billing/orders/order-discount.rules.ts";
import { referralStates, voidReasons } from "./rules.ts";

/** An account's own invitation link, created when the page is first opened. */
export const referralLinks = sqliteTable("referral_links", {
  accountId: text()
    .$type<AccountId>()
    .primaryKey()
    .references(() => accounts.id),
  /** Ten random letters; grants no access. */
  code: text().notNull().unique(),
  /** Browsers that opened the link and went on: to the sign-up, or once more to the landing page. At most one per browser and thirty days. */
  visits: integer().notNull().default(0),
  createdAt: integer().notNull(),
});

/** The referral link that a browser had opened before it asked to be let in, since the browser forgets it in thirty days. */
export const referralTouches = sqliteTable("referral_touches", {
  /** No foreign key: an entry that starts over has another id. */
  entryId: text().$type<EntryId>().primaryKey(),
  code: text().notNull(),
  /** When the link was opened. */
  touchedAt: integer().notNull(),
});

/** One row per invited friend: a friend is invited once, by one person, never by themselves. */
export const referrals = sqliteTable(
  "referrals",
  {
    id: text().$type<ReferralId>().primaryKey(),
    /** The account whose link it was. */
    referrerId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** The account that followed the link; an account is a friend once. */
    friendId: text()
      .$type<AccountId>()
      .notNull()
      .unique()
      .references(() => accounts.id),
    /**
     * - `signed-up`: the friend's address is proven
     * - `under-review`: one of many sign-ups by one link from one network; continues at `waitsUntil` unless an operator decides
     * - `qualified`: the friend has paid `qualifyingAmountMinor`; the card isn't checked yet
     * - `waiting`: the holding period of the payment ends at `waitsUntil`
     * - `approved`: the credit is in the ledger
     * - `void`: worth nothing; `voidWhy` has the reason
     */
    state: text({ enum: referralStates }).notNull(),
    /** When the friend's address was proven. */
    signedUpAt: integer().notNull(),
    /** When the cron job continues with it, while it is under review or waiting. */
    waitsUntil: integer(),
    voidWhy: text({ enum: voidReasons }),
    /** Keyed hashes of the cards by which the friend paid, each between bars. */
    cards: text(),
    /** What an operator wrote when deciding. */
    decision: text(),
    approvedAt: integer(),
    voidAt: integer(),
  },
  (table) => [
    oneOf("referrals_state", table.state, referralStates),
    oneOf("referrals_void_why", table.voidWhy, voidReasons),
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
      .$type<ReferralId>()
      .primaryKey()
      .references(() => referrals.id),
    /** The account that gets the discount. */
    friendId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** The first order that was paid with money. */
    orderId: text()
      .$type<OrderId>()
      .notNull()
      .unique()
      .references(() => orders.id),
    /**
     * - `under-review`: an operator decides; `why` has the reason
     * - `due`: the refund is to be made, unless the payment is disputed or withdrawn from
     * - `paid`: the refund was made, or there was nothing to refund
     * - `refused`: no discount; `why` has the reason
     */
    state: text({ enum: discountStates }).notNull(),
    why: text({ enum: [...discountReviews, ...discountRefusals] }),
    /** Never more than was paid; 0 where nothing was promised. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    /** Keyed hash of the mailbox. Null if another account has it. */
    mailboxHash: text().unique(),
    /** Keyed hash of the payment method. Null if another account has it, or if Stripe gives no fingerprint. */
    methodHash: text().unique(),
    /** Keyed hash of the address's domain. Null for public email providers. */
    domainHash: text(),
    /** What an operator wrote when deciding. */
    decision: text(),
    refundId: text().$type<RefundId>().unique(),
    createdAt: integer().notNull(),
    decidedAt: integer(),
    /** When the refund was made. */
    paidAt: integer(),
  },
  (table) => [
    oneOf("friend_discounts_state", table.state, discountStates),
    oneOf("friend_discounts_why", table.why, [...discountReviews, ...discountRefusals]),
    check("friend_discounts_amount", sql`${table.amountMinor} >= 0`),
    index("friend_discounts_of_friend").on(table.friendId),
    index("friend_discounts_of_domain")
      .on(table.domainHash)
      .where(sql`${table.domainHash} is not null`),
    index("friend_discounts_by_state").on(table.state, table.createdAt),
  ],
);
