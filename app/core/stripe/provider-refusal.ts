/** Stripe didn't respond in time, its response wasn't understood, or it refused the request. */
export type ProviderRefusal =
  /** `isFinal`: Stripe itself responded with an error, and would replay that response under the same idempotency key. */
  { reason: "provider-unreachable"; isFinal: boolean } | { reason: "provider-refused"; code: string };

/** The requested object doesn't exist (any more). */
export function isMissing(refusal: { reason: string; code?: string }): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "resource_missing";
}
