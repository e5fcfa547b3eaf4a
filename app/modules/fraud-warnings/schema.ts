import type { EventId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import type { OrderId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { orders } from "#app/modules/orders/schema.ts";

/** Payments that the bank of the card reported as fraud, for as long as operators can act on it. */
export const fraudWarnings = sqliteTable(
  "fraud_warnings",
  {
    /** Stripe's event about it, so that each is read once. */
    eventId: text().$type<EventId>().primaryKey(),
    /** Null if the payment is for none of our orders. */
    orderId: text()
      .$type<OrderId>()
      .references(() => orders.id),
    paymentId: text().$type<PaymentIntentId>().notNull(),
    /** What the bank reports, in Stripe's words. Null if Stripe had no warning when it was asked. */
    fraudType: text(),
    warnedAt: integer().notNull(),
  },
  (table) => [index("fraud_warnings_by_time").on(table.warnedAt), index("fraud_warnings_of_order").on(table.orderId)],
);
