import type { App } from "#app/context.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { changeToRemoved, deviceStands } from "./store.server.ts";

export type RemoveRefusal = { reason: "device-unknown" };

/** The device itself gives its seat back; one that has none any more is as unknown as one that never had. */
export async function giveSeatBack(
  app: Pick<App, "db" | "clock">,
  deviceId: string,
): Promise<Result<null, RemoveRefusal>> {
  const removed = await changeToRemoved(app.db, deviceId, app.clock(), deviceStands(deviceId));
  return removed.meta.changes === 1 ? done(null) : refused({ reason: "device-unknown" });
}
