import type { App } from "#app/app.ts";
import { isRateLimited, type RateLimit } from "#app/core/rate-limiter.ts";
import { networkOf } from "#app/core/network.ts";
import { minuteMs } from "#app/core/time/time.ts";

/**
 * Rate limiter over the exact budgets in the database: a network that sends faster than people do waits a minute. Counted by
 * the platform, per place and roughly; never what keeps a code from being guessed.
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

/** The same for the tunnel, which is handed this. A rate limiter that fails isn't reported: reporting is what it protects. */
export function rateLimitOfMonitoring(limiter: RateLimit) {
  return (request: Request, counted: string): Promise<boolean> =>
    isRateLimited(limiter, counted + networkOf(request.headers.get("CF-Connecting-IP") ?? "unknown"), () => undefined);
}
