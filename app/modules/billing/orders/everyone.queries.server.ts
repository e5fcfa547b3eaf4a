/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, eq, lt, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { historyEvents, orders } from "./schema.ts";

/** For the cron job: expires drafts whose checkout never opened, each with a history event. */
export function expireDrafts(db: Database, now: number) {
  const isOver = and(eq(orders.state, "draft"), lt(orders.expiresAt, now));
  return [
    statement(
      db,
      sql`
      insert into ${historyEvents} (order_id, what, happened_at) select id, 'expired', ${now} from ${orders} where ${isOver}
      on conflict do nothing`,
    ),
    db.update(orders).set({ state: "expired", updatedAt: now }).where(isOver),
  ] as const;
}
