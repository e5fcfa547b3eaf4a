/**
 * The Stripe API version that this code is written for: the SDK's own, pinned so that neither an SDK update nor the account's default
 * changes the responses. The webhook endpoint has the same one.
 */
export const stripeApiVersion = "2026-10-28.endive";
