/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, eq, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { devices, seatReductions } from "./schema.ts";
import { removedDeviceRetentionMs } from "./rules.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import type { Seats } from "./queries.server.ts";
import { seatsOf, usedBy } from "./seats.queries.server.ts";

/** For the cron job. */
export function removeOldDevices(db: Database, now: number) {
  return db
    .delete(devices)
    .where(and(eq(devices.state, "removed"), lt(devices.removedAt, now - removedDeviceRetentionMs)));
}

/**
 * Accounts whose plan changed, or whose announced removal is due, in random order. Removals wait while a payment is processing, which may
 * be for a larger plan.
 */
export function listSeatReductions(db: Database, input: { until: number } | "due", seats: Seats, limit: number) {
  const { accountId, state, releasesAt } = seatReductions;
  return db
    .select({
      reduction: seatReductions,
      owner: accounts,
      seats: seatsOf(accountId, seats).as("seats_now"),
      used: usedBy(accountId).as("seats_used"),
    })
    .from(seatReductions)
    .innerJoin(accounts, and(eq(accounts.id, accountId), eq(accounts.state, "active")))
    .where(
      input === "due"
        ? eq(state, "due")
        : and(eq(state, "announced"), lte(releasesAt, input.until), isNothingProcessing),
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

const isNothingProcessing = sql`not exists (
  select 1 from ${orders} o where o.account_id = ${seatReductions.accountId} and o.state = 'processing')`;

/** The ids of those that `removeOldDevices` removes. */
export function oldDevices(now: number): SQL {
  return sql`(select id from ${devices} where state = 'removed' and removed_at < ${now - removedDeviceRetentionMs})`;
}

/** The accounts with this in a name of one of their devices: the machine's own, or the one it was given. */
export function listByDeviceName({ typed, capitals }: { typed: string; capitals: string }, limit: number): SQL {
  const holds = (column: SQL) =>
    sql`(instr(lower(${column}), ${typed}) > 0 or instr(lower(${column}), ${capitals}) > 0)`;
  return sql`(select account_id from devices indexed by devices_named
    where ${holds(sql`name`)} or ${holds(sql`given_name`)} limit ${limit})`;
}
