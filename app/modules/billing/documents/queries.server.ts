import type { InvoiceId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { buyerKeptUntil, type NewDocument, type NewInvoice } from "./rules.ts";
import type { NewCreditNote } from "./issue.rules.ts";
import { documents } from "./schema.ts";

export const { buyerKeptUntil: _kept, ...issuedColumns } = getTableColumns(documents);

// Reads ---------------------------------------------------------------------------------------------------------------

/** An order's invoice, and then its credit notes in the order of their numbers. None if it is unpaid, or another account's. */
export const listDocumentsOfOrder = prepared((db: Database, orderId: OrderId, accountId: AccountId) =>
  db
    .select(issuedColumns)
    .from(documents)
    .innerJoin(orders, and(eq(orders.id, documents.orderId), eq(orders.accountId, accountId)))
    .where(eq(documents.orderId, orderId))
    .orderBy(sql`${documents.kind} <> 'invoice'`, documents.numberYear, documents.numberInYear),
);

export const listDocumentsOfAccount = prepared((db: Database, accountId: AccountId) =>
  db
    .select(issuedColumns)
    .from(documents)
    .innerJoin(orders, and(eq(orders.id, documents.orderId), eq(orders.accountId, accountId)))
    .orderBy(documents.orderId, documents.numberYear, documents.numberInYear),
);

/** The documents of these orders. The ids are one parameter, since D1 allows a hundred. */
export function listDocumentsOfOrders(db: Database, ids: readonly OrderId[]) {
  return db
    .select(issuedColumns)
    .from(documents)
    .where(sql`${documents.orderId} in (select value from json_each(${JSON.stringify(ids)}))`)
    .orderBy(documents.orderId, documents.numberYear, documents.numberInYear);
}

/** For the sync: the documents of the orders that these invoices of Stripe's belong to. */
export function listDocumentsOfInvoices(db: Database, invoiceIds: readonly InvoiceId[]) {
  return db
    .select(issuedColumns)
    .from(documents)
    .innerJoin(orders, eq(orders.id, documents.orderId))
    .where(sql`${orders.invoiceId} in (select value from json_each(${JSON.stringify(invoiceIds)}))`)
    .orderBy(documents.orderId, documents.numberYear, documents.numberInYear);
}

export type DocumentCursor = readonly [issuedAt: number, orderId: OrderId, cause: string];

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Issues the invoice of an order that the statements before it marked paid: once, with the order's number. */
export function issueInvoice(db: Database, orderId: OrderId, invoice: NewInvoice) {
  const { buyer, providerNumber } = invoice;
  return statement(
    db,
    sql`
    insert into ${documents} (order_id, cause, kind, number_year, number_in_year, provider_number, ${contentColumns}, buyer)
    select id, '', 'invoice', number_year, number_in_year, ${providerNumber}, ${contentOf(invoice)}, ${JSON.stringify(buyer)}
    from ${orders} where id = ${orderId} and paid_at = ${invoice.issuedAt} and not ${isIssued(orderId, "")}`,
  );
}

/** Asked before rather than after a conflict, since the table refuses a second document of one cause. */
export function isIssued(orderId: OrderId, cause: string): SQL {
  return sql`exists (select 1 from ${documents} where order_id = ${orderId} and cause = ${cause})`;
}

/** The next number of the year: read and written in one statement, so that numbers are gapless and unique. */
const nextNumber = (year: number) => sql`(
  select coalesce(max(number_in_year), 0) + 1 from ${documents} where kind = 'credit-note' and number_year = ${year})`;

/** As `spellNumber` writes it. */
const invoiceNumber = sql`printf('%d-%06d', invoice.number_year, invoice.number_in_year)`;

/**
 * Issues a credit note once per cause, to the invoice's buyer, or to what an erasure has left of it. It isn't issued if others of the order
 * came between, on which its amounts depend: a sync writes it then.
 */
export function issueCreditNote(db: Database, orderId: OrderId, note: NewCreditNote, numberYear: number) {
  return statement(
    db,
    sql`
    insert into ${documents} (order_id, cause, kind, reason, number_year, number_in_year, corrects, ${contentColumns}, buyer,
      buyer_kept_until)
    select order_id, ${note.cause}, 'credit-note', ${note.reason}, ${numberYear}, ${nextNumber(numberYear)},
      coalesce(${note.takesBack}, ${invoiceNumber}), ${contentOf(note)}, buyer,
      iif(buyer_kept_until is null, null, ${buyerKeptUntil(numberYear)})
    from ${documents} invoice where order_id = ${orderId} and kind = 'invoice' and ${note.beforeMinor} = (
      select coalesce(sum(total_minor), 0) from ${documents} where order_id = ${orderId} and kind = 'credit-note')
      and not ${isIssued(orderId, note.cause)}`,
  );
}

const contentColumns = sql`currency, net_minor, tax_minor, total_minor, money_minor, lines, taxes, steps, exemption, seller,
  period_starts_at, period_ends_at, issued_at, time_zone`;

function contentOf(document: NewDocument) {
  const { currency, netMinor, taxMinor, totalMinor, moneyMinor, exemption } = document;
  const { lines, taxes, steps, seller, periodStartsAt, periodEndsAt, issuedAt, timeZone } = document;
  return sql`${currency}, ${netMinor}, ${taxMinor}, ${totalMinor}, ${moneyMinor}, ${JSON.stringify(lines)},
    ${JSON.stringify(taxes)}, ${JSON.stringify(steps)}, ${exemption}, ${JSON.stringify(seller)}, ${periodStartsAt},
    ${periodEndsAt}, ${issuedAt}, ${timeZone}`;
}
