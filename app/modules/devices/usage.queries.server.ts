import type { DeviceId, AccountId } from "#app/core/id.ts";
import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { devices, usageValues } from "./schema.ts";
import { accountOfDevice } from "./queries.server.ts";

/** The values that count now: this month's, from active devices. Reports of a removed device don't count. */
export const listUsage = prepared((db: Database, accountId: AccountId, month: string) =>
  listUsageOf(db, accountId, month),
);

/** Like `listUsage`, for an account that the same statement finds. */
export function listUsageOf(db: Database, account: AccountId | SQL<string | null>, month: string) {
  const { accountId, meter, part, value, reportedAt } = usageValues;
  const current = db
    .select({ id: devices.id })
    .from(devices)
    .where(and(sql`${devices.accountId} = ${account}`, eq(devices.state, "active")));
  return db
    .select({ meter, part, value, reportedAt })
    .from(usageValues)
    .where(and(sql`${accountId} = ${account}`, or(eq(part, month), inArray(part, current))));
}

type Report = { deviceId: DeviceId; meter: string; kind: "last" | "maximum"; month: string; value: number; at: number };

/**
 * Stores a report of an active device unless a newer one of the device, or for a maximum a higher one of the month, is stored. One
 * statement; ties are broken by the other column, so that the result doesn't depend on the order of arrival.
 */
export function changeUsage(db: Database, { deviceId, meter, kind, month, value, at }: Report) {
  const counts = kind === "last" ? sql`reported_at, value` : sql`value, reported_at`;
  const arrived =
    kind === "last" ? sql`excluded.reported_at, excluded.value` : sql`excluded.value, excluded.reported_at`;
  return statement(
    db,
    sql`
    insert into ${usageValues} (account_id, meter, part, value, reported_at)
    select owner.id, ${meter}, ${kind === "last" ? deviceId : month}, ${value}, ${at}
    from (select ${accountOfDevice(deviceId)} as id) owner where owner.id is not null
    on conflict (account_id, meter, part) do update set value = excluded.value, reported_at = excluded.reported_at
      where (${arrived}) > (${counts})`,
  );
}
