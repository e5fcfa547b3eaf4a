import { featuresOn } from "#app/features.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/**
 * How to start with the product; null if there is nothing to say. Below something more urgent, only the downloads are shown, without the
 * steps. `keyPath` is where the key is that a step needs, in a product that has one.
 */
export function startFacts(product: ProductConfig, isSecond: boolean) {
  const { downloads, activationUrl } = product.start;
  const steps = isSecond ? [] : product.start.steps;
  if (downloads.length === 0 && steps.length === 0 && activationUrl === undefined) return null;
  return {
    ...product.start,
    steps,
    product: product.name,
    keyPath: featuresOn(product).flatMap(({ keyPath }) => (keyPath ? segmentPath(product, keyPath) : []))[0] ?? null,
  };
}
