import { features } from "./features.ts";
import type { ConfigProblem } from "./modules/catalogue/config-problems.rules.ts";
import { checkConfig } from "./modules/catalogue/config.rules.ts";
import type { ProductConfig } from "./modules/catalogue/rules.ts";

/** Everything that is wrong with a product's config, in the core's part and in each feature's. */
export function checkProduct(product: ProductConfig): ConfigProblem[] {
  return [...checkConfig(product), ...features.flatMap(({ checkConfig: check }) => check?.(product) ?? [])];
}
