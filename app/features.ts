import type { Feature } from "./feature.ts";
import { captcha } from "./features/captcha/feature.ts";
import { preferences } from "./features/preferences/feature.ts";
import type { ProductConfig } from "./modules/catalogue/rules.ts";

/** What a product can do without, a line each. The order is that of menus. */
export const features: readonly Feature[] = [preferences, captcha];

export function featuresOn(product: ProductConfig): Feature[] {
  return features.filter((feature) => feature.isOn(product));
}

/** How sentences name the data that features store of a customer: that is exported, or erased. */
export function dataOfFeatures(product: ProductConfig, what: "exported" | "erased"): string[] {
  return featuresOn(product).flatMap(({ messages }) => messages.en.data[what]);
}
