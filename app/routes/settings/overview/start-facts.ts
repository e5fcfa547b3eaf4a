import { segmentPath } from "#app/core/page-paths.ts";
import { hasDevices, type ProductConfig } from "#app/modules/catalogue/rules.ts";

/**
 * How to start with the product; null if there is nothing to say. Below something more urgent, only the downloads are shown, without the
 * steps. `keyPath` is where the licence key is, in a product with devices.
 */
export function startFacts(product: ProductConfig, isSecond: boolean) {
  const { downloads, activationUrl } = product.start;
  const steps = isSecond ? [] : product.start.steps;
  if (downloads.length === 0 && steps.length === 0 && activationUrl === undefined) return null;
  return {
    ...product.start,
    steps,
    product: product.name,
    keyPath: hasDevices(product) ? `${segmentPath(product, "account")}#licence` : null,
  };
}
