import type { AccountId, CancellationId, OrderId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { oneOf } from "#app/db/one-of.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { cancellationKinds, cancellationStates, cancellers } from "./cancellations.rules.ts";

/** Cancellations declared on `/cancel`, as they were made; anyone can make one, for any number. */
export const cancellations = sqliteTable(
  "cancellations",
  {
    /** `ccl_…`. Its confirmation has the same id. */
    id: text().$type<CancellationId>().primaryKey(),
    /** The account whose plan is meant, if number and address match a paid order. */
    accountId: text()
      .$type<AccountId>()
      .references(() => accounts.id),
    orderId: text()
      .$type<OrderId>()
      .references(() => orders.id),
    /**
     * - `unmatched`: it is about no contract that we could find, so an operator reads it
     * - `open`: the plan isn't cancelled yet: Stripe didn't answer, or the wanted day is in a later period
     * - `done`: the plan ends with its period, or none was running
     * - `undone`: the owner kept the plan
     */
    state: text({ enum: cancellationStates }).notNull(),
    /** `ordinary`, or `extraordinary`: for a reason that ends the contract at once, about which an operator decides. */
    kind: text({ enum: cancellationKinds }).notNull(),
    /** Of an extraordinary one, as it was typed. */
    reason: text(),
    /** The declarer's name as it was typed. */
    name: text().notNull(),
    /** The contract or order as it was typed. */
    orderTyped: text().notNull(),
    /** The day on which the contract is wanted to end, `2027-06-30`, on the seller's calendar. Null if that is as early as possible. */
    endsOn: text(),
    /** The address for the confirmation, as it was typed. */
    address: text().notNull(),
    /** Its canonical form. */
    email: text().notNull(),
    /** `owner`: signed in to the order's account. `anyone`: everyone else. */
    declaredBy: text({ enum: cancellers }).notNull(),
    declaredAt: integer().notNull(),
    /** When the plan is looked at next. Null unless it is open. */
    nextTryAt: integer(),
    tries: integer().notNull().default(0),
    /** Why the newest try failed. */
    failure: text(),
    /** When it was done or undone. */
    changedAt: integer(),
    /** When an operator closed it, and with what answer, as emailed. */
    closedAt: integer(),
    answer: text(),
  },
  (table) => [
    oneOf("cancellations_state", table.state, cancellationStates),
    oneOf("cancellations_kind", table.kind, cancellationKinds),
    oneOf("cancellations_declared_by", table.declaredBy, cancellers),
    index("cancellations_due")
      .on(table.nextTryAt)
      .where(sql`${table.nextTryAt} is not null`),
    /** For operators: what may need them. */
    index("cancellations_for_operators")
      .on(table.declaredAt, table.id)
      .where(
        sql`((${table.closedAt} is null and (${table.state} = 'unmatched' or ${table.kind} = 'extraordinary')) or ${table.failure} is not null)`,
      ),
    index("cancellations_of_account").on(table.accountId, table.declaredAt),
    index("cancellations_of_order").on(table.orderId),
    index("cancellations_of_address").on(table.email),
    index("cancellations_old").on(table.declaredAt),
  ],
);
