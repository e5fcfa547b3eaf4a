import type { Route } from "./+types/route";

/** What the page knows. */
export type PlanPageFacts = Route.ComponentProps["loaderData"];
/** The same while a plan runs. */
export type RunningPage = PlanPageFacts & { [Key in "running" | "plan"]: NonNullable<PlanPageFacts[Key]> };
