import { and, eq, gt, inArray, ne, sql } from "drizzle-orm";
import type { OrderId } from "#app/core/id.ts";
import type { Database } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { sessionIdleMs, type Viewer } from "./rules.ts";
import { accounts, sessions } from "./schema.ts";

const shown = { account: accounts, session: sessions };

function isLive(tokenHash: string, now: number) {
  return and(
    eq(sessions.tokenHash, tokenHash),
    eq(sessions.state, "active"),
    gt(sessions.expiresAt, now),
    gt(sessions.lastUsedAt, sql`${now} - ${sessionIdleMs}`),
    ne(accounts.state, "erased"),
  );
}

const findShown = prepared((db: Database, tokenHash: string, now: number) =>
  db
    .select(shown)
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(isLive(tokenHash, now)),
);

/** The viewer of an active session, in one indexed read; null for an unknown, ended or expired one. */
export async function findViewer(db: Database, tokenHash: string, now: number): Promise<Viewer | null> {
  const [row] = await findShown(db, tokenHash, now);
  return row ? { account: row.account, session: row.session, due: null } : null;
}

type OwingState = (typeof subscriptions.$inferSelect)["state"];

/**
 * Returns a read like `findViewer`, with the plan's overdue payment: every settings page shows it. Other pages don't ask, so that they work
 * without the subscriptions table. A renewal whose payment may be on its way isn't overdue. `owingStates` are the states of a plan whose
 * payment is due. They come from the caller, because the module of subscriptions is a later one.
 */
export function findViewerWithDue(owingStates: readonly OwingState[]) {
  const findRow = prepared((db: Database, tokenHash: string, now: number) =>
    selectWithDue(db, owingStates).where(isLive(tokenHash, now)),
  );
  return async (db: Database, tokenHash: string, now: number): Promise<Viewer | null> => {
    const [row] = await findRow(db, tokenHash, now);
    if (!row) return null;
    const { subscriptionState, dueSince, toConfirm } = row;
    const isLocked = subscriptionState !== "past-due-grace";
    const due = subscriptionState === null ? null : { since: dueSince ?? now, isLocked, toConfirm };
    return { account: row.account, session: row.session, due, hasPlan: row.hasPlan };
  };
}

function selectWithDue(db: Database, owingStates: readonly OwingState[]) {
  const mayBePaid = sql`select 1 from ${orders} where account_id = ${accounts.id} and unconfirmed_until is not null and kind = 'renewal'`;
  const owing = and(inArray(subscriptions.state, owingStates), sql`not exists (${mayBePaid})`);
  // Worded like the partial index `subscriptions_one_running`: in these states no plan runs.
  const hasPlan = sql`exists (select 1 from ${subscriptions} own where own.account_id = ${accounts.id}
    and own.state not in ('incomplete', 'ended'))`.mapWith(Boolean);
  const toConfirm = sql<OrderId | null>`case when ${subscriptions.state} is not null then
    (select id from ${orders} where account_id = ${accounts.id} and kind = 'renewal' and state = 'needs-action'
      order by created_at limit 1) end`;
  return db
    .select({
      ...shown,
      subscriptionState: subscriptions.state,
      dueSince: subscriptions.pastDueSince,
      hasPlan,
      toConfirm,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(subscriptions, and(eq(subscriptions.accountId, accounts.id), owing));
}
