import { and, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { mails } from "#app/modules/email/schema.ts";
import { customers, subscriptions } from "./schema.ts";
import type { NoticeKind } from "./notices.rules.ts";
import { graceMs } from "./rules.ts";

/** A plan with its owner and what the provider takes off the next charge. */
function selectPlans(db: Database) {
  return db
    .select({ plan: subscriptions, owner: accounts, creditMinor: customers.creditMinor })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .innerJoin(customers, eq(customers.accountId, subscriptions.accountId));
}

/** Drawn by lot, so that one that can't be told keeps nobody else waiting. */
const byLot = sql`random()`;

/** A part of the time to come: charges after `from`, up to `until`. */
type Stretch = { from: number; until: number };

/** Up to which charge one run of the clock looks, so that a million plans are no more work than that. */
export async function endOfStretch(db: Database, { from, until }: Stretch, plans: number): Promise<number> {
  const [end] = await db.all<{ at: number }>(sql`
    select period_ends_at as at from ${subscriptions} where state = 'active' and period_ends_at > ${from} and period_ends_at <= ${until}
    order by at limit 1 offset ${plans - 1}`);
  return end?.at ?? until;
}

export { changeMark, findMark } from "#app/db/sweep-marks.server.ts";

/** Plans whose grace is over. */
export function listToLock(db: Database, now: number, limit: number) {
  return selectPlans(db)
    .where(and(sql`${subscriptions.state} = 'past-due-grace'`, lte(subscriptions.pastDueSince, now - graceMs)))
    .orderBy(byLot)
    .limit(limit);
}

/** Plans that renew for a year, whose owners want to hear of it and haven't. */
export function listRenewals(db: Database, stretch: Stretch, limit: number) {
  const { interval, pendingInterval, pendingAt, periodEndsAt } = subscriptions;
  const isYearly = sql`(${interval} = 'year' or (${pendingInterval} = 'year' and ${pendingAt} <= ${periodEndsAt}))`;
  const isWanted = sql`not exists (select 1 from json_each(${accounts.mailsOff}) off where off.value = 'renewals')`;
  return selectPlans(db)
    .where(and(isCharged(stretch), isYearly, isWanted, isUntold("renewal-notice", sql``)))
    .orderBy(byLot)
    .limit(limit);
}

/** Plans whose next charge comes after the last month of their card. */
export function listExpiringCards(db: Database, stretch: Stretch, limit: number) {
  const month = sql`strftime('%Y-%m', ${subscriptions.periodEndsAt} / 1000, 'unixepoch')`;
  const runsOut = sql`${subscriptions.cardExpires} < ${month}`;
  return selectPlans(db)
    .where(and(isCharged(stretch), runsOut, isUntold("card-expiring", sql`${subscriptions.cardExpires} || '.' ||`)))
    .orderBy(byLot)
    .limit(limit);
}

/** It goes on, and its period ends there. */
function isCharged({ from, until }: Stretch) {
  return and(
    eq(subscriptions.state, "active"),
    eq(subscriptions.collection, "automatic"),
    or(isNull(subscriptions.cancelsAt), gt(subscriptions.cancelsAt, subscriptions.periodEndsAt)),
    gt(subscriptions.periodEndsAt, from),
    lte(subscriptions.periodEndsAt, until),
  );
}

/** No mail goes by the name of this notice: `causeOf` in SQL. */
function isUntold(kind: NoticeKind, more: SQL): SQL {
  const id = sql`'mail_' || ${subscriptions.id} || '.' || ${kind} || '.' || ${more} ${subscriptions.periodEndsAt}`;
  return sql`not exists (select 1 from ${mails} where ${mails.id} = ${id})`;
}

/** It still goes on for this period: for the mail that tells of its next charge. */
export function goesOn({ id, periodEndsAt }: { id: string; periodEndsAt: number }): SQL {
  return sql`exists (select 1 from ${subscriptions} where id = ${id} and state = 'active'
    and (cancels_at is null or cancels_at > period_ends_at) and collection = 'automatic' and period_ends_at = ${periodEndsAt})`;
}
