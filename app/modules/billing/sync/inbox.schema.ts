import type { CustomerId, EventId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { oneOf } from "#app/db/one-of.ts";
import { eventStates } from "./inbox.rules.ts";

/** The inbox of Stripe's events. An event is only a hint that something changed. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text().$type<EventId>().primaryKey(),
    /**
     * - `received`: delivered by Stripe, or found in Stripe's list
     * - `handled`: the customer was synced
     * - `failed`: Stripe didn't answer, or its answer was inconsistent; retried by the cron job
     * - `ignored`: about no customer of ours, or of a type that changes nothing
     */
    state: text({ enum: eventStates }).notNull(),
    type: text().notNull(),
    customerId: text().$type<CustomerId>(),
    /** How often Stripe delivered the event or the cron job tried it. */
    tries: integer().notNull().default(1),
    /** When it was first received. */
    receivedAt: integer().notNull(),
    /** When the event was last tried or handled. While it is `received`: until when a request has leased it. */
    settledAt: integer(),
    /** The payment it is about, where the event names no customer. */
    paymentId: text().$type<PaymentIntentId>(),
    /** It is about a subscription to a plan of a site like this one. */
    namesPlan: integer({ mode: "boolean" }).notNull().default(false),
    /** Why the last try failed: that Stripe didn't answer, its refusal, or the message of the error. Names no person. */
    failure: text(),
  },
  (table) => [
    oneOf("webhook_events_state", table.state, eventStates),
    index("webhook_events_unsettled").on(table.state, table.receivedAt),
    index("webhook_events_fraud_warnings")
      .on(table.receivedAt)
      .where(sql`${table.type} = 'radar.early_fraud_warning.created'`),
  ],
);
