import type { Hooks } from "./app.ts";
import type { FeatureServer } from "./feature-server.ts";
import { captcha } from "./features/captcha/feature.server.ts";
import { devices } from "./features/devices/feature.server.ts";
import { preferences } from "./features/preferences/feature.server.ts";
import { waitlist } from "./features/waitlist/feature.server.ts";
import { accountHooks } from "./modules/accounts/hooks.server.ts";

/** What the Worker runs of each feature, a line each. */
export const featureServers: readonly FeatureServer[] = [devices, preferences, captcha, waitlist];

/** What modules and features do within the core's work. */
export const hooks: readonly Hooks[] = [accountHooks, ...featureServers];
