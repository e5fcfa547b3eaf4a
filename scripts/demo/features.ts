import { waitlist, waitlistChapter, waitlistCount } from "#app/features/waitlist/tools/demo.ts";
import { preferences } from "#app/features/preferences/tools/demo.ts";
import type { FeatureDemo } from "./feature-demo.ts";
import type { Chapter } from "./replay-demo.ts";

/** What features add to the demo, a line each. */
const features: readonly FeatureDemo[] = [preferences, waitlist];

/** People whose story is a feature's. */
export const chaptersOfFeatures: readonly Chapter[] = [waitlistChapter];

/** The least that operators' numbers count of them, by the feature. */
export const countsOfFeatures: readonly { name: string; least: number }[] = [waitlistCount];

export const addedTo = (name: string) => features.flatMap((feature) => feature[name] ?? []);
