import { dayMs, secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { Cast } from "../people/cast.ts";
import { type Books, minor, type Row, type Rows } from "./read-stripe-books.ts";

export function findRefundViolation(rows: Rows, stripe: Books, cast: Cast): Broken | null {
  return refundedPlansEnd(rows, stripe) ?? withdrawalsReturnEverything(rows, stripe, cast);
}

/** A plan doesn't continue on an order whose money was refunded in full, or taken back by its bank. */
function refundedPlansEnd({ orders = [], subscriptions = [] }: Rows, { invoices }: Books): Broken | null {
  for (const plan of subscriptions.filter(({ state }) => state === "active" || state === "past-due-grace")) {
    const back = orders.find((order) => {
      const invoice = invoices.get(String(order.invoice_id));
      const isOfPlan = String(invoice?.parent?.subscription_details?.subscription) === plan.id;
      const coversNow = (invoice?.lines.data ?? []).some(
        ({ period, amount }) => amount > 0 && period.end * secondMs >= Number(plan.period_ends_at),
      );
      return (
        isOfPlan &&
        coversNow &&
        (order.state === "refunded" || order.dispute === "lost") &&
        minor(order.amount_minor) > 0
      );
    });
    if (back)
      return {
        invariant: "a plan ends with the refund of what it was bought by",
        details: { plan: plan.id, order: back.id },
      };
  }
  return null;
}

/**
 * A withdrawal in time that is settled has returned what was paid for its contract in the days before it. One that was too late is settled with the
 * order that it names, by whatever an operator refunds. A renewal can't be withdrawn from; a charge that its bank disputes can't be refunded before the
 * bank has decided; and what a change left over as credit was returned as credit.
 */
function withdrawalsReturnEverything(
  { orders = [], withdrawals = [] }: Rows,
  { invoices, subscriptions }: Books,
  { world: { product } }: Cast,
): Broken | null {
  const periodMs = product.withdrawalDays === "off" ? 0 : product.withdrawalDays * dayMs;
  const planOf = (order: Row) =>
    String(invoices.get(String(order.invoice_id))?.parent?.subscription_details?.subscription ?? "");
  for (const withdrawal of withdrawals.filter(({ state }) => state === "refunded")) {
    const declaredAt = Number(withdrawal.declared_at);
    const inTime = orders.filter(
      ({ kind, paid_at: paidAt, number_year: year }) =>
        year !== null && kind !== "renewal" && Number(paidAt) <= declaredAt && Number(paidAt) > declaredAt - periodMs,
    );
    const named = inTime.find(({ id }) => id === withdrawal.order_id);
    if (!named || !subscriptions.some(({ id }) => id === planOf(named))) continue;
    const ofContract = inTime.filter(
      (order) => planOf(order) === planOf(named) && Number(order.paid_at) >= Number(named.paid_at),
    );
    const kept = ofContract.filter(
      (order) =>
        minor(order.refunded_minor) < minor(order.amount_minor) && ["none", "won"].includes(String(order.dispute)),
    );
    const keptMinor = kept.reduce((sum, order) => sum + minor(order.amount_minor) - minor(order.refunded_minor), 0);
    const asCreditMinor = ofContract.reduce((sum, order) => sum + Math.max(0, -minor(order.credit_minor)), 0);
    if (keptMinor > asCreditMinor)
      return {
        invariant: "a settled withdrawal has returned all of its contract",
        details: { withdrawal: withdrawal.id, keptMinor, kept: kept.map(({ id }) => id) },
      };
  }
  return null;
}
