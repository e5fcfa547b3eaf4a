import type { AccountId, EmailId, EntryId, OrderId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { oneOf } from "#app/db/one-of.ts";
import { emailRefusals, emailReturns, emailStates } from "./rules.ts";
import type { EmailContent } from "./templates.rules.ts";

/** The outbox. An email is queued in the batch that causes it, sent after the commit, and wiped once it was sent. */
export const emails = sqliteTable(
  "emails",
  {
    /** `mail_` with a random part, or with the name of its cause if that is emailed about only once. */
    id: text().$type<EmailId>().primaryKey(),
    /**
     * - `queued`: waits for its next try
     * - `sent`: handed to the email service
     * - `failed`: every try failed
     */
    state: text({ enum: emailStates }).notNull(),
    /** Which template. Its data and the recipient are encrypted in `sealed`. */
    template: text().$type<EmailContent["template"]>().notNull(),
    /**
     * Recipient and data, encrypted with AES-256-GCM under a key derived from the pepper. Wiped once it was sent; kept for
     * `failedEmailRetentionMs` if it failed.
     */
    sealed: text(),
    /** How many tries have begun. */
    tries: integer().notNull().default(0),
    createdAt: integer().notNull(),
    nextTryAt: integer(),
    /** When the email service accepted it. */
    sentAt: integer(),
    /** The order whose payment or refund it is about, if any. */
    orderId: text().$type<OrderId>(),
    /** The account that had the address when it was queued, or whose email it is otherwise: another account, or who waits at the gate. */
    recipientId: text().$type<AccountId | EntryId>(),
    /**
     * Why the newest try failed. Null if none failed, or if a later one succeeded.
     * - `email-down`: the service didn't answer, or refused for a reason of its own
     * - `quota-exhausted`: its quota was used up
     * - `address-refused`: it sends nothing to this address
     */
    refusal: text({ enum: emailRefusals }),
    /** The service's own id of it, by which it reports that the email came back. Null until it is sent, or if the service gave none. */
    serviceId: text(),
    /**
     * How it came back after the service took it, if it did.
     * - `bounced`: the recipient's server refused it for good
     * - `complained`: its recipient called it spam
     */
    returned: text({ enum: emailReturns }),
    /** When the service reported that. */
    returnedAt: integer(),
    /** Until when the service's quota is used up, as it said with the newest refusal. Null if it didn't say. */
    quotaUntil: integer(),
  },
  (table) => [
    oneOf("emails_state", table.state, emailStates),
    oneOf("emails_refusal", table.refusal, emailRefusals),
    oneOf("emails_returned", table.returned, emailReturns),
    index("emails_due").on(table.state, table.nextTryAt),
    index("emails_old").on(table.createdAt),
    index("emails_due_codes")
      .on(table.nextTryAt)
      .where(sql`${table.state} = 'queued' and ${table.template} in ('code', 'has-account')`),
    index("emails_of_service")
      .on(table.serviceId)
      .where(sql`${table.serviceId} is not null`),
    index("emails_of_recipient").on(table.recipientId, table.createdAt),
  ],
);
