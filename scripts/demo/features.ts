import { preferences } from "#app/features/preferences/tools/demo.ts";
import type { FeatureDemo } from "./feature-demo.ts";

/** What features add to the demo, a line each. */
const features: readonly FeatureDemo[] = [preferences];

export const addedTo = (name: string) => features.flatMap((feature) => feature[name] ?? []);
