import type { EventId, InvoiceId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { and, count, eq, gte, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Cursor } from "#app/core/cursor.ts";
import type { Database } from "#app/db/database.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { webhookEvents } from "./inbox.schema.ts";
import { fraudWarningLifeMs, unknownFraudType } from "./fraud-warnings.rules.ts";
import { fraudWarnings } from "./fraud-warnings.schema.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The words of the partial index `webhook_events_fraud_warnings`. */
const isAboutWarning = sql`${webhookEvents.type} = 'radar.early_fraud_warning.created'`;

/** Events about a warning that hasn't been read from Stripe, received since `since`: oldest first, and last those that Stripe refused. */
export function listUnreadWarnings(db: Database, since: number, limit: number) {
  const { id, paymentId, receivedAt } = webhookEvents;
  const { fraudType } = fraudWarnings;
  const isUnread = or(isNull(fraudWarnings.eventId), eq(fraudType, unknownFraudType));
  return db
    .select({ eventId: id, paymentId: sql<PaymentIntentId>`${paymentId}`, receivedAt })
    .from(webhookEvents)
    .leftJoin(fraudWarnings, eq(fraudWarnings.eventId, id))
    .where(and(isAboutWarning, gte(receivedAt, since), isNotNull(paymentId), isUnread))
    .orderBy(isNotNull(fraudType), receivedAt)
    .limit(limit);
}

/** As `whatToDo` says, in SQL. */
const isOpen = or(isNull(orders.id), and(sql`${orders.state} <> 'refunded'`, eq(orders.dispute, "none")));
const isListed = (now: number) =>
  and(gte(fraudWarnings.warnedAt, now - fraudWarningLifeMs), isNotNull(fraudWarnings.fraudType), isOpen);

/** Warnings that an operator can act on, oldest first. */
export function listFraudWarnings(db: Database, now: number, after: Cursor | null, limit: number) {
  const { eventId, paymentId, fraudType, warnedAt } = fraudWarnings;
  const { id, accountId, numberYear, numberInYear, state, dispute, amountMinor, currency } = orders;
  return db
    .select({
      eventId,
      orderId: id,
      accountId,
      email: accounts.email,
      numberYear,
      numberInYear,
      state,
      dispute,
      amountMinor,
      currency,
      paymentId,
      fraudType,
      warnedAt,
    })
    .from(fraudWarnings)
    .leftJoin(orders, eq(orders.invoiceId, fraudWarnings.invoiceId))
    .leftJoin(accounts, eq(accounts.id, accountId))
    .where(and(isListed(now), isAfter([warnedAt, eventId], after)))
    .orderBy(warnedAt, eventId)
    .limit(limit);
}

export function countFraudWarnings(db: Database, now: number) {
  return db
    .select({ count: count() })
    .from(fraudWarnings)
    .leftJoin(orders, eq(orders.invoiceId, fraudWarnings.invoiceId))
    .where(isListed(now));
}

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

/** Those that aren't listed any more. Stripe's event about one is removed by then as well, so it isn't read again. */
export function removeOldFraudWarnings(db: Database, now: number) {
  return db.delete(fraudWarnings).where(lt(fraudWarnings.warnedAt, now - fraudWarningLifeMs));
}
