import { StripeRefusal } from "./stripe-errors.ts";

const WINDOW_MS = 1_000;

/** Counts the calls of the last second. In memory: a second is over before an object that was put away is back. */
export class RateLimit {
  #calls: number[] = [];

  /** The refusal of a call that is one too many; it doesn't count, as nothing was done for it. */
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
 * Beside a refusal by the rate limit. Stripe's SDKs retry what `Stripe-Should-Retry` says and leave rate limits alone; which limit
 * was met stands in `Stripe-Rate-Limited-Reason`.
 */
export const RATE_LIMITED = { "stripe-should-retry": "false", "stripe-rate-limited-reason": "global-rate" };
