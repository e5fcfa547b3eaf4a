import type { FeaturePages } from "./feature-pages.ts";
import { captcha } from "./features/captcha/feature.pages.ts";

/** What pages of the core show of each feature, a line each. */
export const featurePages: readonly FeaturePages[] = [captcha];
