import type { Call } from "./call.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { openApiCall } from "./open-api-call.ts";
import { featureServers } from "#app/features.server.ts";

/**
 * All calls of the product API, which features have; anything else is 404. The OpenAPI document is generated from this table, and is alone in
 * it in a product without them.
 */
export const calls = callsOf(product);

export function callsOf(config: ProductConfig): readonly Call[] {
  const described = featureServers.flatMap(({ calls: own }) => own?.(config) ?? []);
  return [...described, openApiCall(described)];
}
