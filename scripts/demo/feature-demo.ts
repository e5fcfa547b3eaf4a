import type { DemoEvent } from "./replay-demo.ts";

/** What a feature adds to the people of the demo, by their names. */
export type FeatureDemo = Readonly<Record<string, { has: string; events: readonly DemoEvent[] }>>;
