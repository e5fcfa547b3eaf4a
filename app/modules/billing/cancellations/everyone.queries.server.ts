/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import type { AccountId } from "#app/core/id.ts";
import { and, eq, ne, sql, asc, count, isNotNull, lte, lt } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { isForOperator } from "./queries.server.ts";
import { cancellations } from "./schema.ts";
import { columns } from "./personal-data.queries.server.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { cancellationRetentionMs } from "./cancellations.rules.ts";

/**
 * For operators: declarations that name an order of the account with an address that isn't the account's, such as a former one, so that they
 * match nothing. They may be anyone's.
 */
export function listCancellationsNaming(db: Database, accountId: AccountId) {
  const own = sql`select * from ${orders} where account_id = ${accountId}`;
  return db
    .select(columns())
    .from(cancellations)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(
      and(
        isForOperator,
        eq(cancellations.state, "unmatched"),
        ne(cancellations.email, accounts.emailCanonical),
        sql`replace(replace(lower(${cancellations.orderTyped}), '#', ''), ' ', '') in (
          select id from (${own}) union all
          select printf('%d-%06d', number_year, number_in_year) from (${own}) where number_year is not null union all
          select printf('%d-%d', number_year, number_in_year) from (${own}) where number_year is not null)`,
      ),
    )
    .orderBy(cancellations.declaredAt);
}

/** For the cron job: open declarations whose time has come. */
export function listDueCancellations(db: Database, now: number, limit: number) {
  return db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(isNotNull(cancellations.nextTryAt), lte(cancellations.nextTryAt, now)))
    .orderBy(asc(cancellations.nextTryAt))
    .limit(limit);
}

/** For operators: what they haven't closed, and what Stripe refuses, oldest first. */
export function listCancellationsToDo(db: Database, after: Cursor | null, limit: number) {
  const { id, state, kind, reason, name, orderTyped, endsOn, address, declaredAt, failure, closedAt } = cancellations;
  const { numberYear, numberInYear } = orders;
  return db
    .select({
      id,
      state,
      kind,
      reason,
      name,
      orderTyped,
      endsOn,
      email: address,
      declaredAt,
      declaredBy: cancellations.declaredBy,
      failure,
      closedAt,
      numberYear,
      numberInYear,
    })
    .from(cancellations)
    .leftJoin(orders, eq(orders.id, cancellations.orderId))
    .where(and(isForOperator, isAfter([declaredAt, id], after)))
    .orderBy(declaredAt, id)
    .limit(limit);
}

export function countCancellationsToDo(db: Database) {
  return db.select({ count: count() }).from(cancellations).where(isForOperator);
}

/** For the cron job. One that is still to be carried out is kept. */
export function removeOldCancellations(db: Database, now: number) {
  const { declaredAt, state } = cancellations;
  return db.delete(cancellations).where(and(lt(declaredAt, now - cancellationRetentionMs), ne(state, "open")));
}
