import type { FeatureServer } from "./feature-server.ts";
import { deviceHooks } from "./modules/devices/hooks.server.ts";
import { captcha } from "./features/captcha/feature.server.ts";
import { preferences } from "./features/preferences/feature.server.ts";

/** What the Worker runs of each feature, a line each. */
export const featureServers: readonly FeatureServer[] = [deviceHooks, preferences, captcha];
