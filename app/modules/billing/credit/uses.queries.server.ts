import type { AccountId } from "#app/core/id.ts";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { ledgerLines } from "./schema.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The orders that an account's lines refer to by their invoice. */
export const listOrdersOfLines = prepared((db: Database, accountId: AccountId) => {
  const { id, invoiceId, numberYear, numberInYear } = orders;
  const lines = db.select({ id: ledgerLines.invoiceId }).from(ledgerLines).where(eq(ledgerLines.accountId, accountId));
  return db
    .select({ id, invoiceId, numberYear, numberInYear })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(invoiceId, lines)));
});

/** Charges that used credit and have no line yet. */
export function listUnrecordedUses(db: Database, accountId: AccountId) {
  const isReported = sql`exists (select 1 from ${ledgerLines}
    where ${ledgerLines.accountId} = ${orders.accountId} and ${ledgerLines.invoiceId} = ${orders.invoiceId})`;
  return db
    .select({ orderId: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        isNotNull(orders.invoiceId),
        sql`${orders.creditMinor} > 0`,
        sql`not ${isReported}`,
      ),
    )
    .limit(1);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Returns what goes back of the credit that an order had used, less what was returned of it before: each step once. */
export function returnCredit(db: Database, accountId: AccountId, now: number) {
  const isUse = sql`line.kind = 'applied'`;
  const isReturn = sql`line.kind = 'reversed' and line.why = 'order-refunded'`;
  const usedMinor = sql`-sum(iif(${isUse}, line.amount_minor, 0))`;
  const returnedMinor = sql`sum(iif(${isReturn}, line.amount_minor, 0))`;
  return statement(
    db,
    sql`
    insert into ${ledgerLines} (id, account_id, kind, amount_minor, currency, why, invoice_id, happened_at)
    select 'line_' || o.id || '.returned.' || ${returnedMinor}, o.account_id, 'reversed',
      min(o.credit_returned_minor, ${usedMinor}) - ${returnedMinor}, o.currency, 'order-refunded', o.invoice_id, ${now}
    from ${orders} o join ${ledgerLines} line
      on line.account_id = o.account_id and line.invoice_id = o.invoice_id and (${isUse} or (${isReturn}))
    where o.account_id = ${accountId} and o.credit_returned_minor > 0
    group by o.id having min(o.credit_returned_minor, ${usedMinor}) > ${returnedMinor}
    on conflict do nothing`,
  );
}
