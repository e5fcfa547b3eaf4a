/** Stripe didn't respond in time, its response wasn't understood, or it refused the request. */
export type ProviderRefusal =
  /** `isFinal`: Stripe itself responded with an error, and would replay that response under the same idempotency key. */
  | { reason: "provider-unreachable"; isFinal: boolean }
  /** `difference`: how Stripe's price differs from the one that the pages show. */
  | { reason: "provider-refused"; code: string; difference?: string };

type Refused = { reason: string; code?: string; difference?: string };

/** The requested object doesn't exist (any more). */
export function isMissing(refusal: Refused): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "resource_missing";
}

/** Stripe's code for a charge of which nothing is left, and ours for one of which less is left than was to be refunded. */
export const alreadyRefundedCode = "charge_already_refunded";

/** The money went back by another way, since the charge was read: no bug, and the next sync sees it. */
export function isAlreadyRefunded(refusal: Refused): boolean {
  return refusal.reason === "provider-refused" && refusal.code === alreadyRefundedCode;
}

/** A code of our own: nothing was requested, since Stripe would have charged another price than the pages show. */
const priceDiffersCode = "price-differs";

export function priceDiffers(difference: string): ProviderRefusal {
  return { reason: "provider-refused", code: priceDiffersCode, difference };
}

export function isPriceDifferent(refusal: Refused): boolean {
  return refusal.reason === "provider-refused" && refusal.code === priceDiffersCode;
}
