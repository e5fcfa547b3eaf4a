import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { listDevices } from "../queries.server.ts";
import { type Excess, excessOver, usageMonthOf } from "../usage.rules.ts";
import { listUsage } from "../usage.queries.server.ts";

/** What an account uses beyond the limits of another plan. */
export async function findExcess(
  { db, clock, product }: Pick<App, "db" | "clock" | "product">,
  accountId: AccountId,
  { limits }: Pick<Plan, "limits">,
): Promise<Excess[]> {
  const month = usageMonthOf(clock(), product.timeZone);
  const { devices, values } = await batchNamed(db, {
    devices: listDevices(db, accountId),
    values: listUsage(db, accountId, month),
  });
  return excessOver(product.meters, limits, { devices: devices.length, values, month });
}
