/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { count, gte, sql, and, eq, gt, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { cancellationReasons, customers, subscriptions, unclaimedCustomers } from "./schema.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { emails } from "#app/modules/email/schema.ts";
import type { ReminderKind } from "./reminders.rules.ts";
import { graceMs } from "./rules.ts";
import { unclaimedLookMs } from "./unclaimed-customers.rules.ts";

/** How many owners gave each reason since then. */
export function countReasons(db: Database, since: number) {
  const { reason, givenAt } = cancellationReasons;
  return db
    .select({ reason, count: count() })
    .from(cancellationReasons)
    .where(gte(givenAt, since))
    .groupBy(reason)
    .orderBy(reason);
}

/**
 * Customers without stored payment-method hashes, in random order: one that Stripe doesn't answer for doesn't delay the others. Chosen of the
 * oldest, since all customers are without hashes after comparing was switched on.
 */
export function listUnhashedCustomers(db: Database, limit: number) {
  const oldest = db
    .select({ accountId: customers.accountId, providerId: customers.providerId })
    .from(customers)
    .where(sql`${customers.methodsHashedAt} is null`)
    .orderBy(customers.createdAt)
    .limit(limit * 10)
    .as("oldest");
  return db
    .select({ accountId: oldest.accountId, providerId: oldest.providerId })
    .from(oldest)
    .orderBy(sql`random()`)
    .limit(limit);
}

export function findUnhashedCustomer(db: Database) {
  return db
    .select({ accountId: customers.accountId })
    .from(customers)
    .where(sql`${customers.methodsHashedAt} is null`)
    .limit(1);
}

/** A plan with its owner and the credit for the next charge. */
function selectSubscriptions(db: Database) {
  return db
    .select({ subscription: subscriptions, owner: accounts, creditMinor: customers.creditMinor })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .innerJoin(customers, eq(customers.accountId, subscriptions.accountId));
}

/** In random order, so that a failing row doesn't delay the others. */
const inRandomOrder = sql`random()`;

/** A section of the future: charges after `from`, up to `until`. */
type Section = { from: number; until: number };

/** The last charge that one run of the cron job reads, which limits its work for any number of plans. */
export async function findEndOfSection(db: Database, { from, until }: Section, max: number): Promise<number> {
  const [end] = await db.all<{ at: number }>(sql`
    select period_ends_at as at from ${subscriptions} where state = 'active' and period_ends_at > ${from} and period_ends_at <= ${until}
    order by at limit 1 offset ${max - 1}`);
  return end?.at ?? until;
}

/** Plans whose grace has ended. */
export function listToLock(db: Database, now: number, limit: number) {
  return selectSubscriptions(db)
    .where(and(sql`${subscriptions.state} = 'past-due-grace'`, lte(subscriptions.pastDueSince, now - graceMs)))
    .orderBy(inRandomOrder)
    .limit(limit);
}

/** Plans that renew for a year and whose owners want the notice and haven't received it. */
export function listRenewals(db: Database, section: Section, limit: number) {
  const { interval, pendingInterval, pendingAt, periodEndsAt } = subscriptions;
  const isYearly = sql`(${interval} = 'year' or (${pendingInterval} = 'year' and ${pendingAt} <= ${periodEndsAt}))`;
  const isWanted = sql`not exists (select 1 from json_each(${accounts.emailsOff}) off where off.value = 'renewals')`;
  return selectSubscriptions(db)
    .where(and(isCharged(section), isYearly, isWanted, isNotEmailed("renewal-notice", sql``)))
    .orderBy(inRandomOrder)
    .limit(limit);
}

/** Plans whose next charge is after their card's last month. */
export function listExpiringCards(db: Database, section: Section, limit: number) {
  const month = sql`strftime('%Y-%m', ${subscriptions.periodEndsAt} / 1000, 'unixepoch')`;
  const runsOut = sql`${subscriptions.cardExpires} < ${month}`;
  return selectSubscriptions(db)
    .where(and(isCharged(section), runsOut, isNotEmailed("card-expiring", sql`${subscriptions.cardExpires} || '.' ||`)))
    .orderBy(inRandomOrder)
    .limit(limit);
}

/** Whether a plan renews, and its period ends within the section. */
function isCharged({ from, until }: Section) {
  return and(
    eq(subscriptions.state, "active"),
    eq(subscriptions.collection, "automatic"),
    or(isNull(subscriptions.cancelsAt), gt(subscriptions.cancelsAt, subscriptions.periodEndsAt)),
    gt(subscriptions.periodEndsAt, from),
    lte(subscriptions.periodEndsAt, until),
  );
}

/** Whether no email of this notice was queued. The id is made of `reminderKey`, in SQL. */
function isNotEmailed(kind: ReminderKind, more: SQL): SQL {
  const id = sql`'mail_' || ${subscriptions.id} || '.' || ${kind} || '.' || ${more} ${subscriptions.periodEndsAt}`;
  return sql`not exists (select 1 from ${emails} where ${emails.id} = ${id})`;
}

/** For the cron job: those that weren't looked at for `unclaimedLookMs`. */
export function listUnclaimedToLookAt(db: Database, now: number, limit: number) {
  const { providerId, lookedAt } = unclaimedCustomers;
  return db
    .select({ providerId })
    .from(unclaimedCustomers)
    .where(lte(lookedAt, now - unclaimedLookMs))
    .orderBy(lookedAt)
    .limit(limit);
}
