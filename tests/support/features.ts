import { captcha } from "#app/features/captcha/tests/samples.ts";
import { devices } from "#app/features/devices/tests/samples.ts";
import { waitlist } from "#app/features/waitlist/tests/samples.ts";
import { preferences } from "#app/features/preferences/tests/samples.ts";
import type { FeatureSamples } from "./feature-samples.ts";

/** What the suites know of features, a line each. */
export const featureSamples: readonly FeatureSamples[] = [devices, preferences, captcha, waitlist];
