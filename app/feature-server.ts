import type { Call } from "#app/api/call.ts";
import type { FeatureHooks } from "./feature.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** What the Worker runs of a feature. */
export type FeatureServer = FeatureHooks & {
  /** Its calls of the product API. */
  calls?(product: ProductConfig): Call[];
};
