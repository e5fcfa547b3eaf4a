/** Checks the limit `devices` of the plans in `app/product/config.ts`. Called with the core's own checks (`app/check-product.ts`). */
import { type ConfigProblem, problemIf } from "#app/modules/catalogue/config-problems.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hasDevices } from "./plans.rules.ts";

export function checkDevices({ plans, meters, start }: ProductConfig): ConfigProblem[] {
  const isForDevices = hasDevices({ plans });
  const needDevices = {
    meters: meters.length > 0,
    "start.steps": start.steps.some(({ needsKey }) => needsKey),
  };
  return [
    ...Object.entries(needDevices).flatMap(([path, isUsed]) =>
      problemIf(
        isUsed && !isForDevices && plans.length > 0,
        "devices-missing",
        path,
        "Devices report meters and are activated by the key: give each plan a limit `devices`, or leave it out.",
      ),
    ),
    ...plans.flatMap(({ id, limits }, index) =>
      problemIf(
        isForDevices && !Number.isSafeInteger(limits["devices"]),
        "limit-missing",
        `plans[${index}].limits.devices`,
        `Plan "${id}" needs a limit "devices".`,
      ),
    ),
  ];
}
