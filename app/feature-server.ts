import type { Call } from "#app/api/call.ts";
import type { Challenge } from "./core/challenge.ts";
import type { FeatureHooks } from "./feature.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** What the Worker runs of a feature. */
export type FeatureServer = FeatureHooks & {
  /** Opens the challenge that it has. Null if it is off. */
  openChallenge?(env: Env, origin: string, report: (error: unknown) => void): Challenge | null;
  /** Its calls of the product API. */
  calls?(product: ProductConfig): Call[];
};
