/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { customers } from "#app/modules/billing/subscriptions/schema.ts";
import { ledgerLines } from "./schema.ts";

/** For the cron job: accounts whose ledger may be outdated or differ from Stripe. In random order, so that none delays the others. */
export function listBehind(db: Database, now: number, limit: number) {
  const { accountId } = ledgerLines;
  const isOpen = isNull(ledgerLines.closedAt);
  const ids = sql`
    select ${customers.accountId} from ${customers} where ${customers.syncedAt} > ${customers.ledgerSyncedAt}
      and (${customers.creditMinor} <> 0 or ${customers.ledgerSyncedAt} > 0)
    union all select ${accountId} from ${ledgerLines} where ${and(isNotNull(ledgerLines.askedBack), isOpen)}
    union all select ${accountId} from ${ledgerLines} where ${and(isNotNull(ledgerLines.expiresAt), lte(ledgerLines.expiresAt, now), isOpen)}
    union all select ${accountId} from ${ledgerLines} where ${ledgerLines.customerId} is null
      and exists (select 1 from ${customers} where ${customers.accountId} = ${accountId})`;
  return db
    .select({ accountId: accounts.id })
    .from(accounts)
    .where(and(sql`${accounts.id} in (${ids})`, sql`${accounts.state} <> 'erased'`))
    .orderBy(sql`random()`)
    .limit(limit);
}
