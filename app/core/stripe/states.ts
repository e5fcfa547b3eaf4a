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
