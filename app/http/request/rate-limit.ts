import type { App } from "#app/app.ts";
import { isRateLimited, type RateLimiter } from "#app/core/rate-limiter.ts";
import { networkOf } from "#app/core/network.ts";

/** For the product API, where a network may have many devices. */
export function isApiRateLimited(app: Pick<App, "rateLimitOfApi" | "report">, ip: string): Promise<boolean> {
  return isRateLimited(app.rateLimitOfApi, networkOf(ip), app.report);
}

/** For the tunnel, which receives this as a parameter. A failing rate limiter isn't reported: reporting is what it protects. */
export function rateLimitOfMonitoring(limiter: RateLimiter) {
  return (request: Request, counted: string): Promise<boolean> =>
    isRateLimited(limiter, counted + networkOf(request.headers.get("CF-Connecting-IP") ?? "unknown"), () => undefined);
}
