import type { FeatureServer } from "#app/feature-server.ts";
import { deviceCalls } from "./api-calls.ts";
import { deviceCaller } from "./api-caller.ts";
import { sweepDevices } from "./commands/sweep-devices.server.ts";
import { listByDeviceName } from "./everyone.queries.server.ts";
import { listOwnDevices, ownRows, removeDeviceRows } from "./personal-data.queries.server.ts";
import { countDevices, ownerOfDevice, removedDevices } from "./queries.server.ts";

export const devices: FeatureServer = {
  name: "devices",
  counted: { limit: "devices", count: countDevices },
  retiredSources: removedDevices,
  erase: (db, { id, guard }) => removeDeviceRows(db, id, guard),
  exported: ownRows,
  found: { prefix: "dev", ownerOf: ownerOfDevice, named: listByDeviceName, rows: listOwnDevices },
  caller: deviceCaller,
  calls: deviceCalls,
  jobs: { beforeEmails: sweepDevices },
};
