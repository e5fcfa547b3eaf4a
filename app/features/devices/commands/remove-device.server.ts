import type { DeviceId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, RequestScope } from "#app/app.ts";
import { activityFacts, newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity, addActivityOf } from "#app/modules/accounts/activities.queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { justChanged } from "#app/modules/email/queries.server.ts";
import { changeToRemoved, deviceIsActive, factOfDevice } from "../queries.server.ts";

type Deps = Base & RequestScope;

type RemoveDeviceRefusal = { reason: "device-unknown" };

/** Removes a device for its owner; its token is invalid from then on. Another account's device is refused like one that is gone. */
export async function removeDevice(
  app: Deps,
  viewer: Viewer,
  id: DeviceId,
): Promise<Result<null, RemoveDeviceRefusal>> {
  const { db } = app;
  const device = { id, accountId: viewer.account.id };
  const { removed } = await batchNamed(db, {
    removed: changeToRemoved(db, device, app.clock(), sessionIsActive(viewer.session)),
    activity: addActivity(db, newActivity(app, viewer.session.id, "device-removed")),
  });
  return removed.meta.changes === 1 ? done(null) : refused({ reason: "device-unknown" });
}

/** A device gives its own seat back; a removed device is refused like an unknown one. */
export async function releaseSeat(
  app: Deps,
  id: DeviceId,
  country: string | null,
): Promise<Result<null, RemoveDeviceRefusal>> {
  const { db } = app;
  const now = app.clock();
  const line = { ...activityFacts(app, "device-removed", null, "device"), country };
  const { removed } = await batchNamed(db, {
    removed: changeToRemoved(db, { id }, now, deviceIsActive(id)),
    activity: addActivityOf(
      db,
      { ...line, accountId: factOfDevice(id, "accountId"), device: factOfDevice(id, "name") },
      justChanged,
    ),
  });
  return removed.meta.changes === 1 ? done(null) : refused({ reason: "device-unknown" });
}
