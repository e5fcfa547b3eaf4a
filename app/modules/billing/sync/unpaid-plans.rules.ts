/**
 * Decides what becomes of an unpaid plan whose next period has begun: Stripe drafts that period's invoice and never collects it, or has
 * paused the plan and drafts none. Invariant: a plan with access has each of its periods charged. Called from the reconciler.
 */
import type { InvoiceId, PaymentIntentId, SubscriptionId } from "#app/core/stripe/ids.ts";
import {
  type BillingReason,
  type Collection,
  type EndCause,
  type InvoiceState,
  isPausedForPayment,
  type PauseCause,
  type PaymentState,
  type SubscriptionStatus,
} from "#app/core/stripe/states.ts";

type Facts = {
  subscriptions: {
    id: SubscriptionId;
    status: SubscriptionStatus;
    collection: Collection;
    pauseCause: PauseCause | null;
    endCause: EndCause | null;
    cancelsAt: number | null;
    endedAt: number | null;
  }[];
  invoices: {
    id: InvoiceId;
    state: InvoiceState;
    billingReason: BillingReason;
    createdAt: number;
    /** When Stripe finalises the draft automatically. Null if it leaves the draft as it is. */
    goesOutAt: number | null;
    paymentIds: PaymentIntentId[];
    subscriptionId: SubscriptionId | null;
    lines: { periodEndsAt: number }[];
  }[];
  payments: { id: PaymentIntentId; state: PaymentState }[];
};

/**
 * `ends` means that the debt is still open and is cancelled. `renews` means that it was paid or given up, and the new period's invoice is
 * collected. `resumes` means that the debt was paid for which Stripe had paused the plan. `void` means that Stripe has ended the plan for
 * this debt, or on the day for which it was cancelled: a payment would bring back nothing.
 */
export type UnpaidVerdict =
  | { kind: "ends"; subscriptionId: SubscriptionId }
  | { kind: "void"; invoiceId: InvoiceId }
  | { kind: "resumes"; subscriptionId: SubscriptionId }
  | { kind: "renews"; subscriptionId: SubscriptionId; invoiceId: InvoiceId };

/** A plan that a team member has put on hold is left alone, and so is one whose debt a bank is about to pay. */
export function decideUnpaidPlans({ subscriptions, invoices, payments }: Facts, now: number): UnpaidVerdict[] {
  return subscriptions.flatMap((subscription): UnpaidVerdict[] => {
    const { id: subscriptionId, status, collection, pauseCause, endCause, cancelsAt, endedAt } = subscription;
    const isOver = endedAt !== null && cancelsAt !== null && endedAt >= cancelsAt;
    if (endCause === "payment-failed" || isOver) return voidDebts({ subscriptionId, invoices, payments });
    if (isPausedForPayment(pauseCause)) return decidePaused({ subscriptionId, invoices, payments }, now);
    if (status !== "unpaid" || collection === "on-hold") return [];
    const own = invoices.filter((invoice) => invoice.subscriptionId === subscriptionId);
    const [draft] = own
      .filter(({ state, billingReason, goesOutAt }) => state === "draft" && billingReason === "renewal" && !goesOutAt)
      .toSorted((left, right) => right.createdAt - left.createdAt);
    if (!draft) return [];
    const debts = own.filter(({ state }) => state === "open");
    // A draft older than the debt comes from a time on hold: the next period hasn't begun yet.
    if (own.some(({ state, createdAt }) => state !== "draft" && createdAt > draft.createdAt)) return [];
    if (debts.length === 0) return [{ kind: "renews", subscriptionId, invoiceId: draft.id }];
    return isInProcess(debts, payments) ? [] : [{ kind: "ends", subscriptionId }];
  });
}

type OfPlan = Pick<Facts, "invoices" | "payments"> & { subscriptionId: SubscriptionId };

/** A debt that was given up doesn't start the plan again: its owner buys it anew. */
function decidePaused({ subscriptionId, invoices, payments }: OfPlan, now: number): UnpaidVerdict[] {
  const [renewal] = invoices
    .filter((invoice) => invoice.subscriptionId === subscriptionId && invoice.billingReason !== "new-plan")
    .filter(({ state }) => state !== "draft")
    .toSorted((left, right) => right.createdAt - left.createdAt);
  if (renewal?.state === "paid") return [{ kind: "resumes", subscriptionId }];
  if (renewal?.state !== "open" || isInProcess([renewal], payments)) return [];
  const periodEndsAt = Math.max(...renewal.lines.map((line) => line.periodEndsAt));
  return periodEndsAt <= now ? [{ kind: "ends", subscriptionId }] : [];
}

function voidDebts({ subscriptionId, invoices, payments }: OfPlan): UnpaidVerdict[] {
  return invoices
    .filter((invoice) => invoice.subscriptionId === subscriptionId && invoice.state === "open")
    .filter((invoice) => !isInProcess([invoice], payments))
    .map(({ id: invoiceId }) => ({ kind: "void", invoiceId }));
}

function isInProcess(debts: { paymentIds: PaymentIntentId[] }[], payments: Facts["payments"]): boolean {
  const tries = debts.flatMap(({ paymentIds }) => paymentIds);
  return payments.some(({ id, state }) => state === "processing" && tries.includes(id));
}
