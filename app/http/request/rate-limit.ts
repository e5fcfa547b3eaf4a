import type { App } from "#app/app.ts";
import { isRateLimited, type RateLimiter } from "#app/core/rate-limiter.ts";
import { networkOf } from "#app/core/network.ts";

/**
 * For the product API. A caller whose token we issued counts by itself: a network may have many, or be a server that calls for all of them.
 * Everything else counts by network, refused tokens and activations included.
 */
export function isApiRateLimited(
  app: Pick<App, "rateLimitOfApi" | "report">,
  ip: string,
  callerId: string | null = null,
): Promise<boolean> {
  return isRateLimited(app.rateLimitOfApi, callerId ?? networkOf(ip), app.report);
}

/** For the tunnel, which receives this as a parameter. A failing rate limiter isn't reported: reporting is what it protects. */
export function rateLimitOfMonitoring(limiter: RateLimiter) {
  return (request: Request, counted: string): Promise<boolean> =>
    isRateLimited(limiter, counted + networkOf(request.headers.get("CF-Connecting-IP") ?? "unknown"), () => undefined);
}
