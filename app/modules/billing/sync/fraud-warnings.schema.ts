import type { EventId, InvoiceId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Payments that the bank of the card reported as fraud, for as long as operators can act on it. */
export const fraudWarnings = sqliteTable(
  "fraud_warnings",
  {
    /** Stripe's event about it, so that each is read once. */
    eventId: text().$type<EventId>().primaryKey(),
    /** What was paid, by which its order is found as soon as that is known. Null if it was no invoice. */
    invoiceId: text().$type<InvoiceId>(),
    paymentId: text().$type<PaymentIntentId>().notNull(),
    /** What the bank reports, in Stripe's words. Null if Stripe had no warning when it was asked. */
    fraudType: text(),
    warnedAt: integer().notNull(),
  },
  (table) => [
    index("fraud_warnings_by_time").on(table.warnedAt),
    index("fraud_warnings_of_invoice").on(table.invoiceId),
  ],
);
