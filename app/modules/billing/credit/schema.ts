import type { BalanceTransactionId, CheckoutId, CustomerId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { AccountId, LedgerLineId, ReferralId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accounts } from "#app/modules/accounts/schema.ts";
import { oneOf } from "#app/db/one-of.ts";
import { lineKinds, whys } from "./rules.ts";

/**
 * Movements of credit, in the order of their rows. Amounts are never edited; the other columns (where it is posted, what has expired) are
 * updated. The sum of an account's lines is its credit, never below zero, and the same at the payment provider.
 */
export const ledgerLines = sqliteTable(
  "ledger_lines",
  {
    /** `line_` and the line's cause. Also the idempotency key of its posting at Stripe. */
    id: text().$type<LedgerLineId>().primaryKey(),
    accountId: text()
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /**
     * - `earned`: credit was added: a reward, a remainder of a plan change, or a gift from the team
     * - `applied`: an order used it; positive when that order was cancelled
     * - `reversed`: a reward or gift was reversed; positive when credit that an order used goes back
     * - `expired`: `creditMonths` have passed, or the account was erased
     */
    kind: text({ enum: lineKinds }).notNull(),
    /** Negative where the line takes credit. */
    amountMinor: integer().notNull(),
    currency: text().notNull(),
    why: text({ enum: whys }).notNull(),
    /** The referral whose reward the line concerns. */
    referralId: text().$type<ReferralId>(),
    /** Stripe's id of the invoice that the line paid for or came from, or of the checkout until that has an invoice. */
    invoiceId: text().$type<InvoiceId | CheckoutId>(),
    /** How much of a reversed reward was already used, and is owed. */
    owedMinor: integer().notNull().default(0),
    happenedAt: integer().notNull(),
    /** When a reward expires: `creditMonths` after it was earned. */
    expiresAt: integer(),
    /** Stripe's id of the customer in whose balance the line is posted. */
    customerId: text().$type<CustomerId>(),
    providerId: text().$type<BalanceTransactionId>().unique(),
    /** Why a reward is to be reversed. */
    askedBack: text({ enum: whys }),
    /** When nothing was left of the line, because it expired or was reversed. */
    closedAt: integer(),
  },
  (table) => [
    oneOf("ledger_lines_kind", table.kind, lineKinds),
    oneOf("ledger_lines_why", table.why, whys),
    oneOf("ledger_lines_asked_back", table.askedBack, whys),
    check("ledger_lines_earned", sql`${table.kind} <> 'earned' or ${table.amountMinor} > 0`),
    check("ledger_lines_expired", sql`${table.kind} <> 'expired' or ${table.amountMinor} < 0`),
    /** A reward is earned once, and reversed once. */
    uniqueIndex("ledger_lines_once_per_referral")
      .on(table.referralId, table.kind)
      .where(sql`${table.referralId} is not null`),
    index("ledger_lines_of_account").on(table.accountId),
    index("ledger_lines_to_expire")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null and ${table.closedAt} is null`),
    index("ledger_lines_asked_back")
      .on(table.accountId)
      .where(sql`${table.askedBack} is not null and ${table.closedAt} is null`),
    index("ledger_lines_unposted")
      .on(table.accountId)
      .where(sql`${table.customerId} is null`),
  ],
);
