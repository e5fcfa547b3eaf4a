import type { OrderId, WithdrawalId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { oneOf } from "#app/db/one-of.ts";
import { declarers, withdrawalStates } from "./withdrawals.rules.ts";

/** Declarations of withdrawal from a contract, as they were made; anyone can make one, for any number. */
export const withdrawals = sqliteTable(
  "withdrawals",
  {
    /** `wdr_…`. Its email has the same id. */
    id: text().$type<WithdrawalId>().primaryKey(),
    /** The order that the withdrawal is from, if number and address match one. */
    orderId: text()
      .$type<OrderId>()
      .references(() => orders.id),
    /**
     * - `declared`: received
     * - `acknowledged`: the confirmation email was sent
     * - `refunded`: all money of the order, or all that its contract owes, was refunded
     * - `contested`: an operator did not accept it
     */
    state: text({ enum: withdrawalStates }).notNull(),
    /** The declarer's name as it was typed. */
    name: text().notNull(),
    /** The order as it was typed. */
    orderTyped: text().notNull(),
    /** The canonical form of the declared address. */
    email: text().notNull(),
    declaredAt: integer().notNull(),
    /** When the confirmation email was sent. */
    acknowledgedAt: integer(),
    /** When it was refunded or contested. */
    closedAt: integer(),
    /**
     * - `owner`: signed in to the order's account
     * - `mailbox`: gave the order's id, which our emails to the account contain
     * - `anyone`: everyone else
     */
    declaredBy: text({ enum: declarers }).notNull().default("anyone"),
    /** Why it was contested, as emailed to the customer. */
    contestReason: text(),
    /** The time zone of the order's account when it was declared: another one later doesn't make it late. */
    timeZone: text(),
  },
  (table) => [
    oneOf("withdrawals_state", table.state, withdrawalStates),
    oneOf("withdrawals_declared_by", table.declaredBy, declarers),
    index("withdrawals_by_state").on(table.state, table.declaredAt),
    index("withdrawals_of_order").on(table.orderId),
    index("withdrawals_of_address").on(table.email),
  ],
);
