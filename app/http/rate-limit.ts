import type { App } from "#app/app.ts";
import { isRateLimited, type RateLimit } from "#app/core/rate-limiter.ts";
import { networkOf } from "#app/core/network.ts";
import { minuteMs } from "#app/core/time/time.ts";

/**
 * Rate limiter in front of the exact quotas in the database: a network that sends faster than people do waits a minute. Counted by the
 * platform, per location and approximately; codes are never protected from guessing by this alone.
 */
export async function findRateLimit(
  app: Pick<App, "rateLimitOfForms" | "clock" | "report">,
  ip: string,
): Promise<{ reason: "too-many-from-network"; retryAt: number } | null> {
  const isLimited = await isRateLimited(app.rateLimitOfForms, `codes:${networkOf(ip)}`, app.report);
  return isLimited ? { reason: "too-many-from-network", retryAt: app.clock() + minuteMs } : null;
}

/** The same for the product API, where a network may have many devices. */
export function isApiRateLimited(app: Pick<App, "rateLimitOfApi" | "report">, ip: string): Promise<boolean> {
  return isRateLimited(app.rateLimitOfApi, networkOf(ip), app.report);
}

/** The same for the tunnel, which receives this as a parameter. A failing rate limiter isn't reported: reporting is what it protects. */
export function rateLimitOfMonitoring(limiter: RateLimit) {
  return (request: Request, counted: string): Promise<boolean> =>
    isRateLimited(limiter, counted + networkOf(request.headers.get("CF-Connecting-IP") ?? "unknown"), () => undefined);
}
