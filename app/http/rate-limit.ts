import type { App } from "#app/app.ts";
import { isFlooded } from "#app/core/rate-limiter.ts";
import { networkOf } from "#app/core/network.ts";
import { minuteMs } from "#app/core/time/time.ts";

/**
 * Flood cover over the exact budgets in the database: a network that sends faster than people do waits a minute. Counted by
 * the platform, per place and roughly; never what keeps a code from being guessed.
 */
export async function findFlood(
  app: Pick<App, "floodOfForms" | "clock" | "report">,
  ip: string,
): Promise<{ reason: "too-many-from-network"; retryAt: number } | null> {
  const isFlood = await isFlooded(app.floodOfForms, `codes:${networkOf(ip)}`, app.report);
  return isFlood ? { reason: "too-many-from-network", retryAt: app.clock() + minuteMs } : null;
}

/** The same for the product API, where a network may have many devices. */
export function isApiFlooded(app: Pick<App, "floodOfApi" | "report">, ip: string): Promise<boolean> {
  return isFlooded(app.floodOfApi, networkOf(ip), app.report);
}
