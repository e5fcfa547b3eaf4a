import type { ApiCaller } from "#app/feature-server.ts";
import { readId } from "#app/core/id.ts";
import { freePlan } from "#app/modules/catalogue/rules.ts";
import { readDeviceToken } from "./device-token.rules.ts";
import { describeDeviceEntitlement } from "./entitlement.rules.ts";
import { findActiveDevice } from "./queries.server.ts";

export const deviceCaller: ApiCaller = {
  name: "device",
  asks: "which devices are activated, what they may do, what they use and how they are set up",
  token: "The token of an activated device",
  entitlement: (product) => describeDeviceEntitlement({ ...product, hasFreePlan: freePlan(product) !== null }),
  read: readDeviceToken,
  async isActive(db, id) {
    const deviceId = readId("dev", id);
    return deviceId !== null && (await findActiveDevice(db, deviceId)) !== null;
  },
};
