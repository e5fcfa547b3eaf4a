import { Stripe } from "stripe";
import { done, refused, type Result } from "#app/core/result.ts";
import { alreadyRefundedCode, priceDiffers, type ProviderRefusal } from "#app/core/stripe/provider-refusal.ts";

/** Stripe has no such price, or one that would charge something else: thrown before anything is requested. */
export class PriceDiffersError extends Error {
  constructor(difference: string) {
    super(`${difference}: run npm run stripe:setup`);
  }
}

/** Less is left of a charge than was to be refunded. */
export class AlreadyRefundedError extends Error {}

/** The SDK throws; callers beyond this function get refusals. Errors that aren't Stripe's are bugs and propagate. */
export async function callStripe<Value>(call: () => Promise<Value>): Promise<Result<Value, ProviderRefusal>> {
  try {
    return done(await call());
  } catch (error) {
    if (error instanceof PriceDiffersError) return refused(priceDiffers(error.message));
    if (error instanceof AlreadyRefundedError)
      return refused({ reason: "provider-refused", code: alreadyRefundedCode });
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const status = typeof error.statusCode === "number" ? error.statusCode : null;
    // 409: the same call is still in progress; 429: rate limited. Neither says anything about the request itself.
    const isRefusal = status !== null && status < 500 && status !== 409 && status !== 429;
    return refused(
      isRefusal
        ? { reason: "provider-refused", code: error.code ?? error.type }
        : { reason: "provider-unreachable", isFinal: status !== null && status >= 500 },
    );
  }
}
