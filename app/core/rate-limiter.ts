import { networkOf } from "./network.ts";
import { minuteMs } from "./time/time.ts";

/** The part of Cloudflare's rate limiting binding that is used here. */
export type RateLimiter = { limit(options: { key: string }): Promise<{ success: boolean }> };

/** Fails open: when the rate limiter fails, the request is allowed and the failure reported. Hard limits are rows in the database. */
export async function isRateLimited(
  limiter: RateLimiter,
  key: string,
  report: (error: unknown) => void,
): Promise<boolean> {
  try {
    const { success } = await limiter.limit({ key });
    return !success;
  } catch (error) {
    report(error);
    return false;
  }
}

/** What is counted apart, by name. A feature adds its own in its folder (`declare module`). */
export interface FormCounters {
  codes: unknown;
  withdraw: unknown;
  cancel: unknown;
  operator: unknown;
}

type FormLimits = { rateLimitOfForms: RateLimiter; clock: () => number; report: (error: unknown) => void };

/**
 * A rate limiter in front of the exact quotas in the database: a network that sends forms faster than people do waits a minute. The
 * platform counts under each counter's name, per location and approximately, so this alone never protects codes from guessing.
 */
export async function findRateLimit(
  { rateLimitOfForms, clock, report }: FormLimits,
  counter: keyof FormCounters,
  ip: string,
): Promise<{ reason: "too-many-from-network"; retryAt: number } | null> {
  const isLimited = await isRateLimited(rateLimitOfForms, `${counter}:${networkOf(ip)}`, report);
  return isLimited ? { reason: "too-many-from-network", retryAt: clock() + minuteMs } : null;
}
