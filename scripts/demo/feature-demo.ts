import type { DemoEvent } from "./replay-demo.ts";

/** What a feature adds to the people of the demo, by their names: what they have and do, and what their data export then contains. */
export type FeatureDemo = Readonly<Record<string, { has: string; events: readonly DemoEvent[]; exported: object }>>;
