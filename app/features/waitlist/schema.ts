import type { EntryId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { jsonColumn } from "#app/db/json-column.ts";
import type { SeenPositions } from "./seen-positions.rules.ts";
import { oneOf } from "#app/db/one-of.ts";
import { type WaveId, waveTriggers } from "./invitations.rules.ts";
import { entryReturns, entryReviews, entryStates } from "./rules.ts";

/** Entries of the waitlist. The position is counted when it is asked for, never stored. */
export const entries = sqliteTable(
  "entries",
  {
    /** Both links are derived from it. */
    id: text().$type<EntryId>().primaryKey(),
    /** `signup` or `plan:<id>`. */
    gate: text().notNull(),
    /**
     * - `pending`: the emailed link hasn't been followed yet
     * - `waiting`: in the queue
     * - `invited`: may sign up or buy for `invitationLifeMs`
     * - `joined`: has what it waited for
     * - `resting`: missed `missesMax` invitations; keeps its sort number and isn't invited until its owner asks
     * - `left`: given up by its owner, or erased with an account
     * - `rejected`: by an operator
     */
    state: text({ enum: entryStates }).notNull(),
    /**
     * - `none`: not flagged
     * - `under-review`: possibly the same person twice, or one of many friends from one network: doesn't count and isn't invited until an operator decides
     */
    review: text({ enum: entryReviews }).notNull().default("none"),
    /** The address as it was typed. */
    email: text().notNull(),
    emailCanonical: text().notNull(),
    /** SHA-256 of the token in the confirmation link; the entry's own page has another. */
    confirmHash: text().notNull().unique(),
    /** SHA-256 of the token in the link of its own page. */
    entryHash: text().notNull().unique(),
    /** What friends' links contain; grants no access. */
    shareCode: text().notNull().unique(),
    /** The entry whose link the user followed; null until the address is proven. */
    referrerEntryId: text().$type<EntryId>(),
    createdAt: integer().notNull(),
    /** `confirmLifeMs` after the request. */
    confirmExpiresAt: integer().notNull(),
    /** When the address was proven. */
    confirmedAt: integer(),
    leftAt: integer(),
    /** Assigned at confirmation, one after the other in each queue. */
    number: integer(),
    /** The sort number: the number, less the positions gained by friends; the queue is sorted by it. Triggers update it. */
    sortNumber: integer(),
    /** Friends that count; the triggers count them. */
    friends: integer().notNull().default(0),
    /** Positions that it gives to the entry that invited it, while it counts. */
    gift: integer().notNull().default(0),
    invitations: integer().notNull().default(0),
    /** How many invitations expired since its owner last asked to stay. */
    missed: integer().notNull().default(0),
    /** JSON: how many entries were ahead, and how many friends counted, at the owner's last two visits. */
    looks: jsonColumn<SeenPositions>("object"),
    invitedAt: integer(),
    /** `invitationLifeMs` after `invitedAt`. */
    invitationExpiresAt: integer(),
    remindedAt: integer(),
    acceptedAt: integer(),
    /** When the account existed or the plan was paid. */
    joinedAt: integer(),
    /** When the last email about it was queued: that its owner is in, or that there is no gate any more. */
    toldAt: integer(),
    /** The mailbox that the address leads to. Null if the entry is older than this column, until the cron job adds it. */
    mailbox: text(),
    /** Keyed hash of the network that confirmed it, for a day. */
    networkHash: text(),
    /**
     * How an email to its address came back, or that its owner wants none. Null if none did, or if the address was proven or asked for an email since.
     * - `bounced`: the recipient's server or the email service refused it for good; isn't invited, reminded or told of the opening
     * - `complained`: its recipient called it spam; the same, until its owner asks for the place again
     * - `unsubscribed`: its owner stopped them by the link in one; the same
     */
    returned: text({ enum: entryReturns }),
  },
  (table) => [
    oneOf("entries_state", table.state, entryStates),
    oneOf("entries_review", table.review, entryReviews),
    oneOf("entries_returned", table.returned, entryReturns),
    uniqueIndex("entries_one_per_address").on(table.gate, table.emailCanonical),
    uniqueIndex("entries_number").on(table.gate, table.number),
    index("entries_in_queue").on(table.gate, table.state, table.sortNumber, table.number),
    index("entries_by_number").on(table.gate, table.state, table.number),
    index("entries_unconfirmed")
      .on(table.confirmExpiresAt)
      .where(sql`${table.state} = 'pending'`),
    index("entries_invited")
      .on(table.gate, table.invitationExpiresAt)
      .where(sql`${table.state} = 'invited'`),
    index("entries_untold")
      .on(table.state, table.gate)
      .where(sql`${table.toldAt} is null`),
    index("entries_under_review")
      .on(table.gate, table.number)
      .where(sql`${table.review} = 'under-review'`),
    index("entries_of_address").on(table.emailCanonical),
    index("entries_of_mailbox").on(table.gate, table.mailbox),
    index("entries_without_mailbox")
      .on(table.mailbox)
      .where(sql`${table.mailbox} is null`),
    index("entries_of_network")
      .on(table.referrerEntryId, table.networkHash)
      .where(sql`${table.networkHash} is not null`),
    index("entries_with_network")
      .on(table.confirmedAt)
      .where(sql`${table.networkHash} is not null`),
    index("entries_left")
      .on(table.leftAt)
      .where(sql`${table.state} = 'left'`),
  ],
);

/**
 * How many wait in each stretch of each queue: order statistics, by which a position is a sum of few rows. A bucket of a level holds
 * 2^level sort numbers. Triggers keep it true, whatever statement changes an entry.
 */
export const queueCounts = sqliteTable(
  "queue_counts",
  {
    /** Which queue, as in `entries`. */
    gate: text().notNull(),
    /** One of `bucketLevels`: a bucket has 2^level sort numbers. */
    level: integer().notNull(),
    /** The sort number of its entries, divided by 2^level. */
    bucket: integer().notNull(),
    /** Entries that wait in this bucket. */
    waiting: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gate, table.level, table.bucket] }),
    check("queue_counts_waiting", sql`${table.waiting} >= 0`),
  ],
);

/** Groups of entries invited together, by the cron job or by an operator. The daily limit is counted here. */
export const waves = sqliteTable(
  "waves",
  {
    id: text().$type<WaveId>().primaryKey(),
    /** Which queue, as in `entries`. */
    gate: text().notNull(),
    /**
     * - `clock`: the daily wave of the cron job
     * - `operator`: an operator, on top of the daily wave
     */
    trigger: text({ enum: waveTriggers }).notNull(),
    /** The day of the product's calendar: `2026-11-21`. */
    day: text().notNull(),
    /** How many were invited. */
    size: integer().notNull(),
    startedAt: integer().notNull(),
  },
  (table) => [
    oneOf("waves_trigger", table.trigger, waveTriggers),
    index("waves_of_day").on(table.gate, table.trigger, table.day),
    index("waves_old").on(table.startedAt),
  ],
);
