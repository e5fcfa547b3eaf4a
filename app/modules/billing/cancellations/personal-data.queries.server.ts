import type { AccountId } from "#app/core/id.ts";
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { type Owned, ownedRows } from "#app/db/owned-rows.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { cancellations } from "./schema.ts";

/** Declarations about the account's plan, and those with its address that match none. */
export function listOwnCancellations(db: Database, accountId: AccountId) {
  return db
    .select(columns())
    .from(cancellations)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(
      or(
        eq(cancellations.accountId, accountId),
        and(isNull(cancellations.accountId), eq(cancellations.email, accounts.emailCanonical)),
      ),
    )
    .orderBy(cancellations.declaredAt);
}

export function columns() {
  const { id, state, kind, reason, name, orderTyped, endsOn, address, declaredBy, declaredAt } = cancellations;
  const { failure, changedAt, closedAt, answer } = cancellations;
  const declared = { id, state, kind, reason, name, orderTyped, endsOn, address, declaredBy, declaredAt };
  return { ...declared, failure, changedAt, closedAt, answer };
}

/**
 * That, when and with what outcome a contract was cancelled stays; what the person entered is removed, and so are declarations that match
 * no account.
 */
export function eraseCancellations(db: Database, owner: { accountId: AccountId; addresses: Owned[] }, guard: SQL) {
  const theirs = ownedRows(cancellations, { name: "email", time: "declared_at" }, owner.addresses);
  return [
    statement(
      db,
      sql`
      update ${cancellations} set name = '', order_typed = '', address = '', email = '', reason = null, answer = null,
        next_try_at = null
      where account_id = ${owner.accountId} and ${guard}`,
    ),
    statement(db, sql`delete from ${cancellations} where ${theirs} and account_id is null and ${guard}`),
  ] as const;
}
