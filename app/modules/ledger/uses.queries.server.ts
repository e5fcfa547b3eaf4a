import type { AccountId } from "#app/core/id.ts";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { orders } from "#app/modules/orders/schema.ts";
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

/** Returns the credit that an order had used, once, when the order was refunded in full. */
export function returnRefunded(db: Database, accountId: AccountId, now: number) {
  return statement(
    db,
    sql`
    insert into ${ledgerLines} (id, account_id, kind, amount_minor, currency, why, invoice_id, happened_at)
    select 'line_' || o.id || '.refunded', o.account_id, 'reversed', -sum(used.amount_minor), o.currency, 'order-refunded',
      o.invoice_id, ${now}
    from ${orders} o join ${ledgerLines} used
      on used.account_id = o.account_id and used.invoice_id = o.invoice_id and used.kind = 'applied'
    where o.account_id = ${accountId} and o.state = 'refunded'
    group by o.id having sum(used.amount_minor) < 0
    on conflict do nothing`,
  );
}
