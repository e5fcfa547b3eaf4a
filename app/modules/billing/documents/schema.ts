import type { OrderId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { jsonColumn } from "#app/db/json-column.ts";
import { oneOf } from "#app/db/one-of.ts";
import type { BilledTo, Seller } from "#app/modules/billing/orders/rules.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { creditNoteReasons, type DocumentAmounts, documentKinds } from "./rules.ts";

/**
 * Issued documents: the invoice of each paid order, and a credit note for each amount that went back. A row never changes, except for
 * `buyer` when its account is erased; triggers refuse everything else.
 */
export const documents = sqliteTable(
  "documents",
  {
    orderId: text()
      .$type<OrderId>()
      .notNull()
      .references(() => orders.id),
    /** What a credit note was issued for: the id of a refund or dispute. Empty for the invoice. */
    cause: text().notNull(),
    kind: text({ enum: documentKinds }).notNull(),
    /** Of a credit note. */
    reason: text({ enum: creditNoteReasons }),
    /** An invoice has its order's number. Credit notes have numbers of their own, without gaps within a year. */
    numberYear: integer().notNull(),
    numberInYear: integer().notNull(),
    /** The number of the document that it corrects. */
    corrects: text(),
    /** Stripe's number of the payment record of an invoice. Null for a credit note. */
    providerNumber: text(),
    currency: text().notNull(),
    /** The total without tax. */
    netMinor: integer().notNull(),
    taxMinor: integer().notNull(),
    /** The sum of the lines, tax included. A credit note's is positive: so much less is owed. */
    totalMinor: integer().notNull(),
    /** The money that was paid or went back: the total, less credit, and with what was carried from or to another invoice. */
    moneyMinor: integer().notNull(),
    /** JSON: each line with label, quantity, net, tax, total and period. */
    lines: jsonColumn<DocumentAmounts["lines"]>("array").notNull(),
    /** JSON: each tax with name, rate, amount, and whether the buyer owes it. */
    taxes: jsonColumn<DocumentAmounts["taxes"]>("array").notNull(),
    /** JSON: what lies between the total and the money. */
    steps: jsonColumn<DocumentAmounts["steps"]>("array").notNull(),
    /** The wording for a seller who charges no tax. */
    exemption: text(),
    /** JSON: the seller's name, address and VAT id. */
    seller: jsonColumn<Seller>("object").notNull(),
    /** JSON: the buyer's name, address, country, VAT ids and payment method. */
    buyer: jsonColumn<BilledTo>("object").notNull(),
    periodStartsAt: integer(),
    periodEndsAt: integer(),
    /** When it was paid, or the money went back. */
    issuedAt: integer().notNull(),
    /** The seller's time zone, in which dates are written. */
    timeZone: text().notNull(),
    /** Of an erased account: until when the rest of `buyer` is kept. */
    buyerKeptUntil: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.cause] }),
    oneOf("documents_kind", table.kind, documentKinds),
    oneOf("documents_reason", table.reason, creditNoteReasons),
    check("documents_cause", sql`(${table.kind} = 'invoice') = (${table.cause} = '')`),
    check("documents_net_and_tax", sql`${table.netMinor} + ${table.taxMinor} = ${table.totalMinor}`),
    uniqueIndex("documents_number").on(table.kind, table.numberYear, table.numberInYear),
    /** For the seller's books, in the order of their dates. */
    index("documents_by_date").on(table.issuedAt, table.orderId, table.cause),
    index("documents_kept_until")
      .on(table.buyerKeptUntil)
      .where(sql`${table.buyerKeptUntil} is not null`),
  ],
);
