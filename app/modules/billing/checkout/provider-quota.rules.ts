/**
 * Decides how often one account may cause calls to Stripe, whose own rate limit applies to the whole business. Invariants: each kind of
 * call has its own quota, so that viewing pages never prevents paying or cancelling; a refused call isn't counted. Called from
 * `consumeProviderCall`.
 */
import type { AccountId } from "#app/core/id.ts";
import { keyedHash } from "#app/core/hash.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";

/** Views of a payment page that call Stripe: a waiting page does so four times in its first minute, then once a minute. */
export const lookupsPerMinuteMax = 10;
/** Quotes of an account: enough to compare every plan by month and by year. */
export const quotesPerMinuteMax = 20;
/** The same per hour, for payment pages and for quotes each. */
const lookupsPerHourMax = 60;
/** Forms of an account that reach Stripe: confirm, cancel, resume, open the portal; and retries as many. */
export const moneyActionsPerHourMax = 60;
/** The same in a minute. Each makes up to seven calls, and Stripe's limit is for the whole business. */
export const moneyActionsPerMinuteMax = 10;

type Limit = { max: number; windowMs: number };

/** The limits of each kind of call, the longest window first. */
export const providerQuotas = {
  "payment-page": [
    { max: lookupsPerHourMax, windowMs: hourMs },
    { max: lookupsPerMinuteMax, windowMs: minuteMs },
  ],
  quote: [
    { max: lookupsPerHourMax, windowMs: hourMs },
    { max: quotesPerMinuteMax, windowMs: minuteMs },
  ],
  action: [
    { max: moneyActionsPerHourMax, windowMs: hourMs },
    { max: moneyActionsPerMinuteMax, windowMs: minuteMs },
  ],
  /** Only a few retries a day reach Stripe (retries.rules.ts); the page of those beyond says when the next is possible. */
  retry: [{ max: moneyActionsPerHourMax, windowMs: hourMs }],
} as const satisfies Record<string, readonly [Limit, ...Limit[]]>;

export type ProviderCall = keyof typeof providerQuotas;

/** `seconds` is the time until another call is allowed. */
export type QuotaRefusal = { reason: "too-many-requests"; seconds: number };

/** The name under which a kind of call is counted for an account. */
export function quotaName(pepper: string, kind: ProviderCall, accountId: AccountId): Promise<string> {
  return keyedHash(pepper, `payment service: ${kind}`, accountId);
}

/** When all limits have room again. */
export function roomAt(usedAts: readonly number[], limits: readonly Limit[], now: number): number {
  const newestFirst = usedAts.toSorted((left, right) => right - left);
  const frees = limits.map(({ max, windowMs }) => (newestFirst[max - 1] ?? now - windowMs) + windowMs);
  return Math.max(now, ...frees);
}
