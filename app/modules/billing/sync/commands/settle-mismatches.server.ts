import type { OrderId } from "#app/core/id.ts";
import { sumMinor } from "#app/core/money/money.ts";
import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { isAlreadyRefunded } from "#app/core/stripe/provider-refusal.ts";
import { isSubscriptionEnded } from "#app/core/stripe/states.ts";
import type { Mismatch } from "#app/modules/billing/orders/states.rules.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { askedMinor, decideMismatch, type PaidInvoice } from "../mismatch.rules.ts";
import { chargesOf, type OrderMatch } from "./match-orders.server.ts";

type Deps = Pick<App, "report"> & { payments: NonNullable<App["payments"]> };
type Invoice = Billing["invoices"][number];
type Charge = Billing["charges"][number];

/**
 * By order, what becomes of payments that aren't what was asked for. `isUndone`: something was refunded or ended in this sync. `ending`: the
 * subscriptions that end with their period for it.
 */
export type Mismatches = { found: Map<OrderId, Mismatch>; isUndone: boolean; ending: ReadonlySet<string> };

/**
 * Refunds what isn't granted and ends its subscription, before anything is written: a sync that is interrupted is completed by the next
 * one, which decides the same. Each charge is refunded once, and what the bank returns is an operator's.
 */
export async function settleMismatches(
  app: Deps,
  matches: readonly OrderMatch[],
  billing: Billing,
): Promise<Result<Mismatches, ProviderFailure>> {
  const found = new Map<OrderId, Mismatch>();
  const ending = new Set<string>();
  let isUndone = false;
  for (const { order, invoice } of matches) {
    const isPaid = invoice?.state === "paid";
    const mismatch = order.paidAt === null && isPaid ? decideMismatch(order, paidInvoice(invoice, billing)) : null;
    if (mismatch) {
      found.set(order.id, mismatch);
      app.report(new Error(sayMismatch(order, invoice, mismatch)));
    }
    // Of an earlier sync that Stripe refused: tried again, and reported then.
    const isOwed = mismatch === "mismatch-refunded" || (order.failure === "mismatch-refunded" && isPaid);
    if (!isOwed || !invoice) continue;
    const undone = await undo(app, { order, isNew: mismatch !== null, ending }, invoice, billing);
    if (!undone.ok) return undone;
    isUndone ||= undone.value;
  }
  return done({ found, isUndone, ending });
}

function paidInvoice(invoice: Invoice, { subscriptions }: Billing): PaidInvoice {
  const { discountMinor, totalMinor, currency, lines } = invoice;
  const subscription = subscriptions.find(({ id }) => id === invoice.subscriptionId);
  // The subscription may have another price by now, or have been read before the change that the invoice is for, which credits its old price.
  const isOfInvoice = lines.some(
    ({ priceId, amountMinor }) => priceId !== null && amountMinor > 0 && priceId === subscription?.priceId,
  );
  const price =
    subscription?.sold && isOfInvoice
      ? { ...subscription.sold, amountMinor: subscription.amountMinor, currency: subscription.currency }
      : null;
  return { discountMinor, totalMinor, currency, price };
}

function sayMismatch(order: OrderMatch["order"], invoice: Invoice | null, mismatch: Mismatch): string {
  const paid = `${(invoice?.totalMinor ?? 0) + (invoice?.discountMinor ?? 0)} ${invoice?.currency}`;
  const end =
    mismatch === "mismatch-kept" ? "the plan is kept at that price" : "it is to be refunded and the plan to be ended";
  return `Order ${order.id} asked for ${askedMinor(order)} ${order.currency}, and ${paid} was paid: ${end}`;
}

/** `isNew`: found by this sync, which reports what Stripe refuses. */
type Refused = { order: OrderMatch["order"]; isNew: boolean };
type Undone = Refused & { ending: Set<string> };

/**
 * Refunds and ends. If Stripe refuses the refund of a change, its plan ends with the period instead: it was paid before, and what is left of
 * it goes back with the refund that an operator makes.
 */
async function undo(
  app: Deps,
  about: Undone,
  invoice: Invoice,
  billing: Billing,
): Promise<Result<boolean, ProviderFailure>> {
  const outcomes: RefundOutcome[] = [];
  for (const charge of chargesOf({ invoice }, billing)) {
    const refunded = await refundCharge(app, about, charge);
    if (!refunded.ok) return refunded;
    outcomes.push(refunded.value);
  }
  const isUndone = outcomes.includes("refunded");
  const subscription = billing.subscriptions.find(({ id }) => id === invoice.subscriptionId);
  if (!subscription || isSubscriptionEnded(subscription.status)) return done(isUndone);
  if (about.order.kind === "change" && outcomes.includes("refused")) {
    about.ending.add(subscription.id);
    if (subscription.cancelsAt !== null) return done(isUndone);
    const cancelled = await app.payments.changeCancellation(subscription.id, true);
    if (!cancelled.ok) return cancelled;
    subscription.cancelsAt = cancelled.value;
    return done(true);
  }
  const ended = await app.payments.endUnpaid(subscription.id);
  if (!ended.ok) return ended;
  subscription.status = "canceled";
  subscription.endedAt = ended.value;
  return done(true);
}

type RefundOutcome = "refunded" | "refused" | "nothing-left";

/** Refunds what is left of a charge, unless that was done before. */
async function refundCharge(
  app: Deps,
  { order: { id: orderId }, isNew }: Refused,
  charge: Charge,
): Promise<Result<RefundOutcome, ProviderFailure>> {
  const lost = sumMinor(charge.disputes.filter(({ state }) => state === "lost"));
  const amountMinor = charge.amountMinor - charge.refundedMinor - lost;
  const isMade = charge.refunds.some(({ isOfMismatch }) => isOfMismatch);
  if (charge.paidBy === null || isMade || amountMinor <= 0) return done("nothing-left");
  const refunded = await app.payments.refundMismatch({ chargeId: charge.id, amountMinor, orderId });
  if (refunded.ok) {
    charge.refundedMinor += amountMinor;
    charge.refunds.push(refunded.value);
    return done("refunded");
  }
  const { refusal } = refunded;
  if (refusal.reason === "provider-unreachable") return refunded;
  // What is left of it, the sync of that refund's own event refunds.
  if (isAlreadyRefunded(refusal)) return done("nothing-left");
  if (isNew) app.report(new Error(`Order ${orderId} was not refunded from ${charge.id}: ${refusal.code}`));
  return done("refused");
}
