import type { Route } from "./+types/route";

export type PlanPageFacts = Route.ComponentProps["loaderData"];
/** The page of a customer with an active plan. */
export type RunningPage = PlanPageFacts & { [Key in "running" | "plan" | "texts"]: NonNullable<PlanPageFacts[Key]> };
