import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { listDevices } from "../queries.server.ts";
import { exceeding, usageMonthOf } from "../usage.rules.ts";
import { listUsage } from "../usage.queries.server.ts";

/** What an account uses beyond the limits of another plan, formatted for the reader. `label` is null for devices. */
export type Exceeding = { label: string | null; used: string; limit: string };

export async function findExceeding(
  { db, clock, product }: Pick<App, "db" | "clock" | "product">,
  account: { id: AccountId; locale: string },
  { limits }: Pick<Plan, "limits">,
): Promise<Exceeding[]> {
  const month = usageMonthOf(clock(), product.timeZone);
  const { devices, values } = await batchNamed(db, {
    devices: listDevices(db, account.id),
    values: listUsage(db, account.id, month),
  });
  const count = (value: number) => formatQuantity(value, "count", account.locale);
  const seats =
    devices.length > limits.devices ? [{ label: null, used: count(devices.length), limit: count(limits.devices) }] : [];
  const meters = exceeding(product.meters, limits, values, month).map(({ label, unit, usedNow, limit }) => ({
    label,
    used: formatQuantity(usedNow, unit, account.locale),
    limit: formatQuantity(limit, unit, account.locale),
  }));
  return [...seats, ...meters];
}
