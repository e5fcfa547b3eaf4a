/**
 * Decides what becomes of an unpaid plan whose next period has begun: Stripe drafts that period's invoice and never collects it. Invariant: a
 * plan with access has each of its periods charged. Called from the reconciler.
 */
import type { InvoiceId, PaymentIntentId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type {
  BillingReason,
  Collection,
  InvoiceState,
  PaymentState,
  SubscriptionStatus,
} from "#app/core/stripe/states.ts";

type Facts = {
  subscriptions: { id: SubscriptionId; status: SubscriptionStatus; collection: Collection }[];
  invoices: {
    id: InvoiceId;
    state: InvoiceState;
    billingReason: BillingReason;
    createdAt: number;
    /** When Stripe finalises the draft automatically. Null if it leaves the draft as it is. */
    goesOutAt: number | null;
    paymentIds: PaymentIntentId[];
    subscriptionId: SubscriptionId | null;
  }[];
  payments: { id: PaymentIntentId; state: PaymentState }[];
};

/**
 * `ends` means that the debt is still open and is cancelled. `renews` means that it was paid or given up, and the new period's invoice is
 * collected.
 */
export type UnpaidVerdict =
  | { kind: "ends"; subscriptionId: SubscriptionId }
  | { kind: "renews"; subscriptionId: SubscriptionId; invoiceId: InvoiceId };

/** A plan that a team member has put on hold is left alone, and so is one whose debt a bank is about to pay. */
export function decideUnpaidPlans({ subscriptions, invoices, payments }: Facts): UnpaidVerdict[] {
  return subscriptions.flatMap(({ id: subscriptionId, status, collection }): UnpaidVerdict[] => {
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
    const tries = debts.flatMap(({ paymentIds }) => paymentIds);
    const isInProcess = payments.some(({ id, state }) => state === "processing" && tries.includes(id));
    return isInProcess ? [] : [{ kind: "ends", subscriptionId }];
  });
}
