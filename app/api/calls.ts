import type { Call } from "./call.ts";
import { deviceCalls } from "./device-calls.ts";
import { hasDevices, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { openApiCall } from "./open-api-call.ts";
import { featureServers } from "#app/features.server.ts";
import { usageCalls } from "./usage-calls.ts";

/**
 * All calls of the product API; anything else is 404. The OpenAPI document is generated from this table, and is alone in it in a product
 * without devices.
 */
export const calls = callsOf(product);

export function callsOf(config: ProductConfig): readonly Call[] {
  const ofDevices: Call[] = [
    ...deviceCalls,
    ...usageCalls(config),
    ...featureServers.flatMap(({ calls: own }) => own?.(config) ?? []),
  ];
  const described = hasDevices(config) ? ofDevices : [];
  return [...described, openApiCall(described)];
}
