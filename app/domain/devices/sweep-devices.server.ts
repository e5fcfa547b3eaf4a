import type { App } from "#app/context.ts";
import { removeOldDevices } from "./store.server.ts";
import { monthOf, usageKeptMs } from "./usage.rules.ts";
import { removeUsageBefore, removeUsageOfOldDevices } from "./usage.store.server.ts";

/** The clock's share: devices that were removed long ago with what they reported, and maxima of months that are over long since. */
export async function sweepDevices({ db, clock, product }: Pick<App, "db" | "clock" | "product">): Promise<void> {
  const now = clock();
  await db.batch([
    removeUsageOfOldDevices(db, now),
    removeOldDevices(db, now),
    removeUsageBefore(db, monthOf(now - usageKeptMs, product.timeZone)),
  ]);
}
