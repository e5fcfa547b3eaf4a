import type { FeatureServer } from "./feature-server.ts";
import { captcha } from "./features/captcha/feature.server.ts";
import { devices } from "./features/devices/feature.server.ts";
import { preferences } from "./features/preferences/feature.server.ts";

/** What the Worker runs of each feature, a line each. */
export const featureServers: readonly FeatureServer[] = [devices, preferences, captcha];
