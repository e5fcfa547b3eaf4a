import type { App } from "#app/context.ts";
import { removeOldDevices } from "./store.server.ts";

/** The clock's share: devices that were removed long ago. */
export async function sweepDevices(app: Pick<App, "db" | "clock">): Promise<void> {
  await removeOldDevices(app.db, app.clock());
}
