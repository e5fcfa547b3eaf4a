import type { EventId, InvoiceId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { and, eq, gte, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { fraudWarningLifeMs, unknownFraudType } from "./fraud-warnings.rules.ts";
import { fraudWarnings } from "./fraud-warnings.schema.ts";

/** As `whatToDo` says, in SQL. */
const isOpen = or(isNull(orders.id), and(sql`${orders.state} <> 'refunded'`, eq(orders.dispute, "none")));

export const isListed = (now: number) =>
  and(gte(fraudWarnings.warnedAt, now - fraudWarningLifeMs), isNotNull(fraudWarnings.fraudType), isOpen);

// Reads ---------------------------------------------------------------------------------------------------------------

/** Those of an account, with the orders that they are about. */
export function listFraudWarningsOf(db: Database, accountId: AccountId, now: number) {
  const { numberYear, numberInYear, state, dispute } = orders;
  return db
    .select({ fraudType: fraudWarnings.fraudType, numberYear, numberInYear, state, dispute })
    .from(orders)
    .innerJoin(fraudWarnings, eq(fraudWarnings.invoiceId, orders.invoiceId))
    .where(and(eq(orders.accountId, accountId), isListed(now)))
    .orderBy(fraudWarnings.warnedAt);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type Read = {
  eventId: EventId;
  paymentId: PaymentIntentId;
  fraudType: string | null;
  warnedAt: number;
  invoiceId: InvoiceId | null;
};

/** Stores what Stripe says about a payment, once; what it refused to say is replaced by what it says. */
export function addFraudWarning(db: Database, { eventId, paymentId, fraudType, warnedAt, invoiceId }: Read) {
  return db
    .insert(fraudWarnings)
    .values({ eventId, invoiceId, paymentId, fraudType, warnedAt })
    .onConflictDoUpdate({
      target: fraudWarnings.eventId,
      set: { invoiceId, fraudType, warnedAt },
      setWhere: and(eq(fraudWarnings.fraudType, unknownFraudType), sql`${fraudType} is not ${unknownFraudType}`),
    });
}
