/**
 * The version of Stripe's API that this code is written for: the SDK's own, pinned so that neither an update of the SDK nor the
 * account's default changes what is answered. The webhook endpoint has the same one.
 */
export const stripeApiVersion = "2026-10-28.endive";
