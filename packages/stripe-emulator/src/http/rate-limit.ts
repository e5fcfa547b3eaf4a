import { StripeRefusal } from "./stripe-errors.ts";

const WINDOW_MS = 1_000;

/** Counts the calls of the last second. In memory: a second has passed before an evicted object is loaded again. */
export class RateLimit {
  #calls: number[] = [];

  /** The refusal of a call over the limit; it isn't counted, as no work was done for it. */
  take(callsPerSecond: number | undefined, now: number): StripeRefusal | null {
    if (callsPerSecond === undefined) return null;
    this.#calls = this.#calls.filter((at) => at > now - WINDOW_MS);
    if (this.#calls.length < callsPerSecond) {
      this.#calls.push(now);
      return null;
    }
    return new StripeRefusal(429, {
      type: "invalid_request_error",
      code: "rate_limit",
      message: "Request rate limit exceeded. Learn more about rate limits here https://docs.stripe.com/rate-limits.",
    });
  }
}

/**
 * Headers of a refusal by the rate limit. Stripe's SDKs retry according to `Stripe-Should-Retry` and don't retry rate limits;
 * `Stripe-Rate-Limited-Reason` names the limit that was reached.
 */
export const RATE_LIMITED = { "stripe-should-retry": "false", "stripe-rate-limited-reason": "global-rate" };
