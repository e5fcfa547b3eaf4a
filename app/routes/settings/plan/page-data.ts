import type { Route } from "./+types/route";

/** The page's data. */
export type PlanPageFacts = Route.ComponentProps["loaderData"];
/** The same with an active plan. */
export type RunningPage = PlanPageFacts & { [Key in "running" | "plan" | "texts"]: NonNullable<PlanPageFacts[Key]> };
