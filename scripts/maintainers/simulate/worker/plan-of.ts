import { isSold, type Plan } from "#app/modules/catalogue/rules.ts";
import type { PlanRole } from "../story.ts";

export function planOf(plans: readonly Plan[], role: PlanRole): Plan | undefined {
  const [small, large = small] = plans.filter(isSold);
  return role === "small" ? small : large;
}
