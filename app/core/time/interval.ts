/** How often a plan is charged. */
export const intervals = ["month", "year"] as const;
export type Interval = (typeof intervals)[number];
