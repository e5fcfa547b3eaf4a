/** What plans say of devices. */
import { hasLimit, type Plan, type ProductConfig } from "#app/modules/catalogue/rules.ts";

/** How many devices may be active with a plan. */
export function seatsOf({ limits }: Pick<Plan, "limits">): number {
  return limits["devices"] ?? 0;
}

/** Whether the product has devices, with licence keys and meters; former plans don't count. */
export function hasDevices({ plans }: Pick<ProductConfig, "plans">): boolean {
  return hasLimit({ plans }, "devices");
}
