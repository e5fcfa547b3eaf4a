/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { lte, and, asc, eq, gte, lt } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { nobody } from "./rules.ts";
import { documents } from "./schema.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { type DocumentCursor, issuedColumns } from "./queries.server.ts";

/** For the cron job: removes what is left of buyers whose time is over. */
export function eraseKeptBuyers(db: Database, now: number) {
  return db.update(documents).set({ buyer: nobody, buyerKeptUntil: null }).where(lte(documents.buyerKeptUntil, now));
}

/**
 * For the seller's books: the documents of all accounts that were issued from `from` until before `until`, oldest first, each with what finds
 * it at Stripe. A credit note's amounts are positive, and reduce the revenue of the day it was issued.
 */
export function listDocuments(
  db: Database,
  { from, until, after, limit }: { from: number; until: number; after: DocumentCursor | null; limit: number },
) {
  const { kind, planId, interval, invoiceId, accountId } = orders;
  return db
    .select({
      document: issuedColumns,
      order: {
        kind,
        planId,
        interval,
        invoiceId,
        accountId,
        paidAt: orders.paidAt,
        numberYear: orders.numberYear,
        numberInYear: orders.numberInYear,
      },
    })
    .from(documents)
    .innerJoin(orders, eq(orders.id, documents.orderId))
    .where(
      and(
        gte(documents.issuedAt, from),
        lt(documents.issuedAt, until),
        after === null ? undefined : isAfter([documents.issuedAt, documents.orderId, documents.cause], after, "asc"),
      ),
    )
    .orderBy(asc(documents.issuedAt), asc(documents.orderId), asc(documents.cause))
    .limit(limit);
}
