/**
 * Decides when an open renewal is collected again ahead of the provider's own schedule. Invariants: a new card is tried once per
 * invoice, nothing is tried while a bank is still deciding, and each kind of try has a quota per account and day. Called from
 * `retryPayment` (a press of the button) and from the sync (a new card).
 */
import { keyedHash } from "#app/core/digest.ts";
import { dayMs } from "#app/core/time/time.ts";

/** Attempts to pay by the button, per account: a bank that declines a card more often blocks it. */
export const manualRetriesPerDayMax = 5;
/** Attempts to pay with a card that was just added, per account. */
export const newCardRetriesPerDayMax = 5;
/** The sliding window of both. */
export const retryWindowMs = dayMs;

/** The provider's facts that this reads. */
export type DebtFacts = {
  subscriptions: {
    id: string;
    status: string;
    collection: "automatic" | "on-hold";
    methodId: string | null;
  }[];
  invoices: {
    id: string;
    state: string;
    cause: "new-plan" | "renewal" | "change";
    attempts: number;
    createdAt: number;
    paymentIds: string[];
    subscriptionId: string | null;
  }[];
  payments: { id: string; state: string; methodId: string | null; createdAt: number }[];
};

export type NewCardRetry = { invoiceId: string; methodId: string };

/** Open renewals whose last attempt was made with another card than the one that would be charged now, oldest first. */
export function retriesWithNewCard({ subscriptions, invoices, payments }: DebtFacts): NewCardRetry[] {
  return invoices
    .filter(({ state, cause, attempts }) => state === "open" && cause === "renewal" && attempts > 0)
    .toSorted((left, right) => left.createdAt - right.createdAt)
    .flatMap((invoice) => {
      const plan = subscriptions.find(({ id }) => id === invoice.subscriptionId);
      const isOwed = plan?.status === "past_due" || plan?.status === "unpaid";
      const [last] = payments
        .filter(({ id }) => invoice.paymentIds.includes(id))
        .toSorted((left, right) => right.createdAt - left.createdAt);
      if (!plan?.methodId || !isOwed || plan.collection === "on-hold" || !last || last.state === "processing")
        return [];
      // A failed attempt without a card is one that the provider tells too little of to be compared.
      const isUnknown = last.state === "failed" && last.methodId === null;
      return isUnknown || last.methodId === plan.methodId ? [] : [{ invoiceId: invoice.id, methodId: plan.methodId }];
    });
}

/** The names under which both kinds of retries are counted. */
export async function retryQuotas(pepper: string, accountId: string) {
  const [manual, newCard] = await Promise.all([
    keyedHash(pepper, "manual payment retries", accountId),
    keyedHash(pepper, "payment retries with a new card", accountId),
  ]);
  return {
    manual: { name: manual, max: manualRetriesPerDayMax, windowMs: retryWindowMs },
    newCard: { name: newCard, max: newCardRetriesPerDayMax, windowMs: retryWindowMs },
  } as const;
}

/** When the quota has room again: the oldest of the newest `max` uses is a day old then. */
export function retryAgainAt(usedAts: number[], max: number, now: number): number {
  const newestFirst = usedAts.toSorted((left, right) => right - left);
  return (newestFirst[max - 1] ?? now - retryWindowMs) + retryWindowMs;
}
