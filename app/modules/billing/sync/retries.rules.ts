/**
 * Decides when an open renewal is collected ahead of Stripe's own schedule. Invariants: a new card is tried once per invoice, nothing is
 * tried while a bank is still deciding, and each kind of attempt has a quota per account and day. Called from `retryPayment` (the button)
 * and from the reconciler (a new card).
 */
import type { InvoiceId, PaymentIntentId, PaymentMethodId, SubscriptionId } from "#app/core/stripe/ids.ts";
import {
  isSubscriptionOverdue,
  type Collection,
  type BillingReason,
  type InvoiceState,
  type PaymentState,
  type SubscriptionStatus,
} from "#app/core/stripe/states.ts";
import type { AccountId } from "#app/core/id.ts";
import { keyedHash } from "#app/core/hash.ts";
import { dayMs } from "#app/core/time/time.ts";

/** Attempts with the button per account: a bank blocks a card that is declined more often. */
export const manualRetriesPerDayMax = 5;
/** Attempts with a newly added card per account. */
export const newCardRetriesPerDayMax = 5;
/** The sliding window of both quotas. */
export const retryWindowMs = dayMs;

export type DebtFacts = {
  subscriptions: {
    id: SubscriptionId;
    status: SubscriptionStatus;
    collection: Collection;
    methodId: PaymentMethodId | null;
  }[];
  invoices: {
    id: InvoiceId;
    state: InvoiceState;
    billingReason: BillingReason;
    attempts: number;
    createdAt: number;
    paymentIds: PaymentIntentId[];
    subscriptionId: SubscriptionId | null;
  }[];
  payments: { id: PaymentIntentId; state: PaymentState; methodId: PaymentMethodId | null; createdAt: number }[];
};

export type NewCardRetry = { invoiceId: InvoiceId; methodId: PaymentMethodId };

/** Open renewals whose last attempt was made with another card than the one that would be charged now, oldest first. */
export function retriesWithNewCard({ subscriptions, invoices, payments }: DebtFacts): NewCardRetry[] {
  return invoices
    .filter(({ state, billingReason, attempts }) => state === "open" && billingReason === "renewal" && attempts > 0)
    .toSorted((left, right) => left.createdAt - right.createdAt)
    .flatMap((invoice) => {
      const subscription = subscriptions.find(({ id }) => id === invoice.subscriptionId);
      const isOwed = subscription !== undefined && isSubscriptionOverdue(subscription.status);
      const [last] = payments
        .filter(({ id }) => invoice.paymentIds.includes(id))
        .toSorted((left, right) => right.createdAt - left.createdAt);
      if (
        !subscription?.methodId ||
        !isOwed ||
        subscription.collection === "on-hold" ||
        !last ||
        last.state === "processing"
      )
        return [];
      // Stripe doesn't say which card the failed attempt was made with, so there is nothing to compare.
      const isUnknown = last.state === "failed" && last.methodId === null;
      return isUnknown || last.methodId === subscription.methodId
        ? []
        : [{ invoiceId: invoice.id, methodId: subscription.methodId }];
    });
}

/** The account's quotas for both kinds of retries. */
export async function retryQuotas(pepper: string, accountId: AccountId) {
  const [manual, newCard] = await Promise.all([
    keyedHash(pepper, "manual payment retries", accountId),
    keyedHash(pepper, "payment retries with a new card", accountId),
  ]);
  return {
    manual: { name: manual, max: manualRetriesPerDayMax, windowMs: retryWindowMs },
    newCard: { name: newCard, max: newCardRetriesPerDayMax, windowMs: retryWindowMs },
  } as const;
}

/** When the quota has room again: when the oldest of the newest `max` uses is a day old. */
export function retryAgainAt(usedAts: number[], max: number, now: number): number {
  const newestFirst = usedAts.toSorted((left, right) => right - left);
  return (newestFirst[max - 1] ?? now - retryWindowMs) + retryWindowMs;
}
