import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Site } from "#app/app.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { listUsage } from "../queries.server.ts";
import { type Excess, excessOver, usageMonthOf } from "../rules.ts";
import { countReads, readCounts } from "./find-counts.server.ts";

/** What an account uses beyond the limits of another plan. */
export async function findExcess(
  app: Base & Site,
  accountId: AccountId,
  { limits }: Pick<Plan, "limits">,
): Promise<Excess[]> {
  const month = usageMonthOf(app.clock(), app.product.timeZone);
  const { counts, values } = await batchNamed(app.db, {
    counts: countReads(app, accountId),
    values: listUsage(app, accountId, month),
  });
  return excessOver(app.product.meters, limits, { counts: readCounts(app, counts), values, month });
}
