import type { AccountId, DeviceId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, justChanged, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { devices, seatReductions } from "./schema.ts";
import type { SeatReduction } from "./seats.rules.ts";
import type { Seats } from "./queries.server.ts";

export function seatsOf(
  accountId: SQL | typeof seatReductions.accountId,
  { keepingStates, ofPlan, ofUnknownPlan, free }: Seats,
): SQL<number | null> {
  return sql<number | null>`coalesce((
    select coalesce(seat.value, ${ofUnknownPlan}) from ${subscriptions} s
    left join json_each(${JSON.stringify(ofPlan)}) seat on seat.key = s.plan_id
    where s.account_id = ${accountId} and s.state in (select value from json_each(${JSON.stringify(keepingStates)}))), ${free})`;
}

export function usedBy(accountId: SQL | typeof seatReductions.accountId): SQL<number> {
  return sql<number>`(select count(*) from ${devices} d where d.account_id = ${accountId} and d.state = 'active')`;
}

// Reads ---------------------------------------------------------------------------------------------------------------

export const findSeatReduction = prepared((db: Database, accountId: AccountId) =>
  db.select().from(seatReductions).where(eq(seatReductions.accountId, accountId)),
);

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Records more devices than seats without a change of plan, for the cron job to handle. */
export function addSeatReduction(db: Database, accountId: AccountId) {
  return db.insert(seatReductions).values({ accountId, state: "due" }).onConflictDoNothing();
}

type SeatFacts = { accountId: AccountId; state: SeatReduction["state"]; seats: number | null; used: number };

/** Nothing that was read has changed. Each statement checks this before it changes anything. */
function isUnchanged({ accountId, state, seats, used }: SeatFacts, of: Seats): SQL {
  return sql`exists (select 1 from ${seatReductions} r where r.account_id = ${accountId} and r.state = ${state})
    and ${usedBy(sql`${accountId}`)} = ${used} and ${seatsOf(sql`${accountId}`, of)} is ${seats}`;
}

export function announceSeatReduction(
  db: Database,
  seen: SeatFacts,
  { now, releasesAt }: { now: number; releasesAt: number },
  seats: Seats,
) {
  return statement(
    db,
    sql`
    update ${seatReductions} set state = 'announced', seats = ${seen.seats}, announced_at = ${now}, releases_at = ${releasesAt}
    where account_id = ${seen.accountId} and ${isUnchanged(seen, seats)}`,
  );
}

/** Keeps an earlier announcement with its date, without another email. */
export function changeSeatReductionToAnnounced(db: Database, accountId: AccountId) {
  return statement(
    db,
    sql`update ${seatReductions} set state = 'announced'
      where account_id = ${accountId} and state = 'due' and releases_at is not null`,
  );
}

/** Ends the reduction once all devices have seats again. */
export function removeSeatReduction(db: Database, seen: SeatFacts, seats: Seats) {
  return statement(
    db,
    sql`delete from ${seatReductions} where account_id = ${seen.accountId} and ${isUnchanged(seen, seats)}`,
  );
}

/** Removes all of these devices, or none if the plan, a device or the reduction changed since it was read. */
export function releaseSeats(db: Database, seen: SeatFacts, deviceIds: DeviceId[], now: number, seats: Seats) {
  return statement(
    db,
    sql`
    update ${devices} set state = 'removed', removed_at = ${now}
    where account_id = ${seen.accountId} and state = 'active'
      and id in (select value from json_each(${JSON.stringify(deviceIds)})) and ${isUnchanged(seen, seats)}`,
  );
}

/** Follows `releaseSeats` in its batch. */
export function endSeatReduction(db: Database, accountId: AccountId) {
  return statement(db, sql`delete from ${seatReductions} where account_id = ${accountId} and ${justChanged}`);
}
