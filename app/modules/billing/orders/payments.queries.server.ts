import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { OrderId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { orderLines, orders } from "./schema.ts";
import type { MoneyBack } from "./money-back.rules.ts";
import type { Order } from "./rules.ts";
import { type Mismatch, orderStatesBefore } from "./states.rules.ts";
import { addHistoryEvent, addHistoryEventOfPaid } from "./history-events.queries.server.ts";
import { askedLast } from "./states.queries.server.ts";
import { literals } from "#app/db/one-of.ts";

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export type OrderPayment = {
  checkoutId: CheckoutId | null;
  invoiceId: InvoiceId;
  currency: string;
  /** What was asked for, if that isn't what was paid, and what becomes of the payment. */
  mismatch: { outcome: Mismatch; askedMinor: number; askedCurrency: string } | null;
  amountMinor: number;
  taxMinor: number;
  discountMinor: number;
  creditMinor: number;
  receiptUrl: string | null;
  attempts: number;
  paidAt: number;
  buyerTimeZone: string;
  accountingYear: number;
  lines: { description: string; amountMinor: number; periodStartsAt: number; periodEndsAt: number }[];
};

/** The next number of the year: read and written in one statement, so that numbers are gapless and unique. */
const nextNumber = (year: number) =>
  sql`(select coalesce(max(number_in_year), 0) + 1 from ${orders} where number_year = ${year})`;

/** Marks an order paid: state, number, amounts and lines, once. */
export function payOrder(db: Database, id: OrderId, payment: OrderPayment, now: number) {
  return [
    statement(
      db,
      sql`
      update ${orders} set state = 'paid', failure = ${payment.mismatch?.outcome ?? null}, checkout_id = ${payment.checkoutId},
        checkout_url = null, invoice_id = ${payment.invoiceId}, currency = ${payment.currency},
        amount_minor = ${payment.amountMinor}, tax_minor = ${payment.taxMinor},
        discount_minor = ${payment.discountMinor}, credit_minor = ${payment.creditMinor},
        receipt_url = ${payment.receiptUrl},
        number_year = ${payment.accountingYear}, number_in_year = ${nextNumber(payment.accountingYear)},
        attempts = ${payment.attempts}, next_try_at = null, unconfirmed_until = null, paid_at = ${payment.paidAt},
        buyer_time_zone = ${payment.buyerTimeZone}, updated_at = ${now}
      where id = ${id} and paid_at is null and state in ${literals(orderStatesBefore("paid"))}`,
    ),
    ...addLines(db, id, payment),
    addHistoryEvent(db, id, { what: "paid", at: payment.paidAt }, now),
    ...(payment.mismatch ? [addMismatch(db, id, payment.paidAt, payment.mismatch, now)] : []),
  ] as const;
}

type Asked = { askedMinor: number; askedCurrency: string };

/** With the amount that was asked for, and its currency as the occurrence. */
function addMismatch(db: Database, id: OrderId, at: number, { askedMinor, askedCurrency }: Asked, now: number) {
  const occurrence = askedCurrency;
  return addHistoryEventOfPaid(db, id, { what: "mismatch", occurrence, amountMinor: askedMinor, at }, now);
}

type PaidInvoice = OrderPayment &
  Pick<Order, "id" | "accountId" | "kind" | "planId" | "interval" | "currency"> & { createdAt: number };

/** Adds an invoice that Stripe created (such as a renewal) as a paid order; unique by the invoice's id. `payOrder` adds its lines. */
export function addPaidOrder(db: Database, order: PaidInvoice, now: number) {
  return statement(
    db,
    sql`
      insert into ${orders} (id, account_id, state, kind, plan_id, interval, currency, amount_minor, tax_minor,
        discount_minor, credit_minor, number_year, number_in_year, invoice_id, receipt_url, attempts, created_at, paid_at,
        buyer_time_zone, updated_at)
      select ${order.id}, ${order.accountId}, 'paid', ${order.kind}, ${order.planId}, ${order.interval},
        ${order.currency}, ${order.amountMinor}, ${order.taxMinor}, ${order.discountMinor}, ${order.creditMinor},
        ${order.accountingYear}, ${nextNumber(order.accountingYear)}, ${order.invoiceId}, ${order.receiptUrl},
        ${order.attempts}, ${order.createdAt}, ${order.paidAt}, ${order.buyerTimeZone}, ${now}
      where not exists (select 1 from ${orders} where invoice_id = ${order.invoiceId})`,
  );
}

type OpenInvoice = Pick<
  Order,
  "id" | "accountId" | "kind" | "planId" | "interval" | "currency" | "amountMinor" | "taxMinor" | "discountMinor"
> & { creditMinor: number; invoiceId: InvoiceId; createdAt: number };

/** Adds an invoice that Stripe created and that isn't paid yet. */
export function addOpenOrder(db: Database, order: OpenInvoice, now: number) {
  return [
    statement(
      db,
      sql`
      insert into ${orders} (id, account_id, state, kind, plan_id, interval, currency, amount_minor, tax_minor,
        discount_minor, credit_minor, invoice_id, created_at, updated_at)
      values (${order.id}, ${order.accountId}, 'pending', ${order.kind}, ${order.planId}, ${order.interval},
        ${order.currency}, ${order.amountMinor}, ${order.taxMinor}, ${order.discountMinor}, ${order.creditMinor},
        ${order.invoiceId}, ${order.createdAt}, ${now})
      on conflict do nothing`,
    ),
    addHistoryEvent(db, order.id, { what: "pending", at: order.createdAt }, now),
  ] as const;
}

/** Stores a paid order's refunds and disputes by Stripe's answer of `askedAt`; an earlier answer changes nothing. */
export function changeMoneyBack(
  db: Database,
  id: OrderId,
  back: MoneyBack & { creditReturnedMinor: number; askedAt: number },
  now: number,
) {
  const { state, creditReturnedMinor, refundedMinor, friendDiscountMinor, dispute, disputeDueAt, askedAt } = back;
  return statement(
    db,
    sql`
    update ${orders} set state = ${state}, credit_returned_minor = max(credit_returned_minor, ${creditReturnedMinor}),
      refunded_minor = ${refundedMinor},
      friend_discount_minor = ${friendDiscountMinor}, dispute = ${dispute}, dispute_due_at = ${disputeDueAt},
      synced_at = ${askedAt}, updated_at = ${now}
    where id = ${id} and paid_at is not null and ${askedLast({ askedAt })}
      and (refunded_minor <> ${refundedMinor} or friend_discount_minor <> ${friendDiscountMinor} or dispute <> ${dispute}
        or dispute_due_at is not ${disputeDueAt} or state <> ${state}
        or credit_returned_minor < ${creditReturnedMinor})`,
  );
}

function addLines(db: Database, orderId: OrderId, payment: OrderPayment) {
  return payment.lines.map((line, position) =>
    statement(
      db,
      sql`
      insert into ${orderLines} (order_id, position, description, amount_minor, period_starts_at, period_ends_at)
      select id, ${position}, ${line.description}, ${line.amountMinor}, ${line.periodStartsAt}, ${line.periodEndsAt}
      from ${orders} where id = ${orderId} and invoice_id = ${payment.invoiceId}
      on conflict do nothing`,
    ),
  );
}
