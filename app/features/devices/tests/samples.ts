import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import type { FeatureSamples } from "#tests/support/feature-samples.ts";

const { plans }: ProductConfig = product;

export const devices: FeatureSamples = {
  name: "devices",
  off: {
    plans: plans.map(({ limits: { devices: _seats, ...limits }, ...plan }) => ({ ...plan, limits })),
    meters: [],
  },
  erasedTables: ["devices", "licence_keys"],
  forms: [],
  operations: ["postDevices", "deleteDevicesCurrent", "getEntitlement", "putUsage"],
};
