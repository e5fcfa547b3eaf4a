import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { ledgerLines } from "./schema.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** Orders that an account's lines tell of, by the invoice that both name. */
export function listOrdersOfLines(db: Database, accountId: string) {
  const { id, invoiceId, numberYear, numberInYear } = orders;
  const lines = db.select({ id: ledgerLines.invoiceId }).from(ledgerLines).where(eq(ledgerLines.accountId, accountId));
  return db
    .select({ id, invoiceId, numberYear, numberInYear })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(invoiceId, lines)));
}

/** Charges that used credit, of which no line tells so far. */
export function listUntoldUses(db: Database, accountId: string) {
  const isTold = sql`exists (select 1 from ${ledgerLines}
    where ${ledgerLines.accountId} = ${orders.accountId} and ${ledgerLines.invoiceId} = ${orders.invoiceId})`;
  return db
    .select({ orderId: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        isNotNull(orders.invoiceId),
        sql`${orders.creditMinor} > 0`,
        sql`not ${isTold}`,
      ),
    )
    .limit(1);
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** An order that had used credit was refunded as a whole: the credit comes back with it, once. */
export function returnRefunded(db: Database, accountId: string, now: number) {
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
