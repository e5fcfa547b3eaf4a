/**
 * What Stripe's objects can be, as far as the site tells them apart. The integration maps Stripe's values to these, and the modules decide
 * by them.
 */
export const subscriptionStatuses = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Nothing starts such a subscription again. */
export function isSubscriptionEnded(status: SubscriptionStatus): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** One of its invoices is unpaid, and Stripe may have stopped trying. */
export function isSubscriptionOverdue(status: SubscriptionStatus): boolean {
  return status === "past_due" || status === "unpaid";
}

/** Why Stripe paused a subscription: no period begins until it is resumed. `system` also stands for reasons that Stripe has added since. */
export const pauseCauses = [
  "requested",
  "trial-ended",
  "first-payment-failed",
  "final-payment-failed",
  "system",
] as const;
export type PauseCause = (typeof pauseCauses)[number];

/** The renewal that failed stays open and can be paid. */
export function isPausedForPayment(cause: PauseCause | null): boolean {
  return cause === "first-payment-failed" || cause === "final-payment-failed";
}

/** Why a subscription was ended, other than by its owner or the team: its payment failed, or a newer one took its place. */
export const endCauses = ["payment-failed", "duplicate"] as const;
export type EndCause = (typeof endCauses)[number];

/** Whether Stripe collects a subscription's invoices. */
export const collections = ["automatic", "on-hold"] as const;
export type Collection = (typeof collections)[number];

export const checkoutStates = ["open", "complete", "expired"] as const;
export type CheckoutState = (typeof checkoutStates)[number];

/** An invoice that was written off counts as `void`, too. */
export const invoiceStates = ["draft", "open", "paid", "void"] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/** What an invoice charges for. */
export const billingReasons = ["new-plan", "renewal", "change"] as const;
export type BillingReason = (typeof billingReasons)[number];

const paymentStates = ["succeeded", "processing", "needs-action", "failed", "other"] as const;
export type PaymentState = (typeof paymentStates)[number];

const refundStates = ["pending", "succeeded", "failed"] as const;
export type RefundState = (typeof refundStates)[number];

export const disputeStates = ["needs-response", "under-review", "won", "lost"] as const;
export type DisputeState = (typeof disputeStates)[number];

/** The bank hasn't decided yet. */
export const openDisputes = ["needs-response", "under-review"] as const satisfies DisputeState[];

export function isDisputeOpen(dispute: string): boolean {
  return openDisputes.some((open) => open === dispute);
}
