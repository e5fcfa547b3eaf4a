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
    /** `mail_…`, or the name of its cause, so that a cause is emailed about once. */
    id: text().$type<EmailId>().primaryKey(),
    /**
     * - `queued`: waits for its next try
     * - `sent`: handed to the email service
     * - `failed`: every try failed
     */
    state: text({ enum: emailStates }).notNull(),
    /** Which template; its data and the recipient are encrypted. */
    template: text().$type<EmailContent["template"]>().notNull(),
    /** Recipient and data, AES-256-GCM under a key from the pepper; wiped once it was sent. Of a failed one kept for `failedEmailRetentionMs`. */
    sealed: text(),
    /** How many tries have begun. */
    tries: integer().notNull().default(0),
    createdAt: integer().notNull(),
    /** When the next try is due; null: none is. */
    nextTryAt: integer(),
    /** When the email service accepted it. */
    sentAt: integer(),
    /** The order whose payment or refund it is about, if it is about one. */
    orderId: text().$type<OrderId>(),
    /** The account or otherwise the waitlist entry that had the address when it was queued; null: neither. */
    recipientId: text().$type<AccountId | EntryId>(),
    /**
     * Why the newest try failed; null: none did, or a later one succeeded.
     * - `mail-down`: the service didn't answer, or refused for a reason of its own
     * - `quota-exhausted`: its quota was used up
     * - `address-refused`: it sends nothing to this address
     */
    refusal: text({ enum: emailRefusals }),
    /** The service's own id of it, by which it reports that the email came back; null: not sent yet, or it gave none. */
    serviceId: text(),
    /**
     * How it came back after the service took it; null: it didn't.
     * - `bounced`: the recipient's server refused it for good
     * - `complained`: its recipient called it spam
     */
    returned: text({ enum: emailReturns }),
    /** When the service reported that. */
    returnedAt: integer(),
    /** Until when the service says that its quota is used up, with the newest refusal; null: it doesn't say. */
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
