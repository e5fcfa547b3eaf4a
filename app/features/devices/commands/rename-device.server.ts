import type { DeviceId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, RequestScope } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { changeGivenName } from "../queries.server.ts";

type RenameRefusal = { reason: "device-unknown" };

/** Names a device as its owner calls it; without a name, it has the machine's own again. Another account's device is refused like one that is gone. */
export async function renameDevice(
  app: Base & RequestScope,
  viewer: Viewer,
  { id, name }: { id: DeviceId; name: string },
): Promise<Result<null, RenameRefusal>> {
  const { db } = app;
  const device = { id, accountId: viewer.account.id, name };
  const { renamed } = await batchNamed(db, {
    renamed: changeGivenName(db, device, sessionIsActive(viewer.session)),
    activity: addActivity(db, newActivity(app, viewer.session.id, "device-renamed")),
  });
  return renamed.meta.changes === 1 ? done(null) : refused({ reason: "device-unknown" });
}
