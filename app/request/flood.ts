import type { App } from "#app/context.ts";
import { networkOf } from "#app/domain/codes/rules.ts";
import { minuteMs } from "#app/domain/kernel/time.ts";

/**
 * Flood cover over the exact budgets in the database: a network that sends faster than people do waits a minute. Counted by
 * the platform, per place and roughly; never what keeps a code from being guessed.
 */
export async function findFlood(
  app: Pick<App, "floodOfForms" | "clock">,
  ip: string,
): Promise<{ reason: "too-many-from-network"; retryAt: number } | null> {
  const { success } = await app.floodOfForms.limit({ key: `codes:${networkOf(ip)}` });
  return success ? null : { reason: "too-many-from-network", retryAt: app.clock() + minuteMs };
}

/** The same for the product API, where a network may have many devices. */
export async function isApiFlooded(app: Pick<App, "floodOfApi">, ip: string): Promise<boolean> {
  const { success } = await app.floodOfApi.limit({ key: networkOf(ip) });
  return !success;
}
