import type { AccountId } from "#app/core/id.ts";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { ledgerLines } from "./schema.ts";

// Export --------------------------------------------------------------------------------------------------------------

export function listOwnLedger(db: Database, accountId: AccountId) {
  const { kind, amountMinor, currency, why, owedMinor, happenedAt, expiresAt } = ledgerLines;
  return db
    .select({ kind, amountMinor, currency, why, owedMinor, happenedAt, expiresAt })
    .from(ledgerLines)
    .where(eq(ledgerLines.accountId, accountId))
    .orderBy(asc(sql`rowid`));
}

// Erasure, if `guard` holds: lines stay, as accounting data; a last line deducts what is left -------------------------

export function endLedger(db: Database, accountId: AccountId, now: number, guard: SQL) {
  return [
    statement(
      db,
      sql`
      insert into ${ledgerLines} (id, account_id, kind, amount_minor, currency, why, happened_at)
      select 'line_' || account_id || '.account-erased', account_id, 'expired', -sum(amount_minor), currency, 'account-erased', ${now}
      from ${ledgerLines} where account_id = ${accountId} and ${guard}
      group by account_id, currency having sum(amount_minor) > 0
      on conflict do nothing`,
    ),
    statement(
      db,
      sql`update ${ledgerLines} set closed_at = ${now} where account_id = ${accountId} and closed_at is null and ${guard}`,
    ),
  ] as const;
}
