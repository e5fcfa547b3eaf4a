import { captcha } from "#app/features/captcha/tools/tools.ts";
import { devices } from "#app/features/devices/tools/tools.ts";
import { waitlist } from "#app/features/waitlist/tools/tools.ts";
import { preferences } from "#app/features/preferences/tools/tools.ts";
import type { FeatureTools } from "./feature-tools.ts";

/** What the commands know of features, a line each. */
export const featureTools: readonly FeatureTools[] = [devices, preferences, captcha, waitlist];
