import { Stripe } from "stripe";
import { done, refused, type Result } from "#app/core/result.ts";

/** The other side did not answer in time or not in its own language; or it answered that it won't. */
export type ProviderRefusal =
  /** `isFinal`: it did answer, with a fault of its own, and would replay that answer under the same idempotency key. */
  { reason: "provider-unreachable"; isFinal: boolean } | { reason: "provider-refused"; code: string };

/** The SDK throws; past this border there are refusals. What isn't the provider's doing stays a bug and goes on up. */
export async function ask<Value>(call: () => Promise<Value>): Promise<Result<Value, ProviderRefusal>> {
  try {
    return done(await call());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const status = typeof error.statusCode === "number" ? error.statusCode : null;
    // 409: the same call is still under way; 429: later. Both say nothing about the wish itself.
    const isRefusal = status !== null && status < 500 && status !== 409 && status !== 429;
    return refused(
      isRefusal
        ? { reason: "provider-refused", code: error.code ?? error.type }
        : { reason: "provider-unreachable", isFinal: status !== null && status >= 500 },
    );
  }
}

/** What was asked for isn't there (any more). */
export function isMissing(refusal: ProviderRefusal): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "resource_missing";
}
