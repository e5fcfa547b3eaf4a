import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { limitsOf } from "#app/modules/catalogue/catalogue.rules.ts";
import { freePlan, hasDevices, seatsOf } from "#app/modules/catalogue/rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { planReads, shownPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { listDevices } from "../queries.server.ts";
import { excessOver, readMeters, usageMonthOf } from "../usage.rules.ts";
import { listUsage } from "../usage.queries.server.ts";

/** An account's plan, and what is used of it, in one round trip. */
export async function showPlanUsage(app: Pick<App, "db" | "product" | "clock">, accountId: AccountId) {
  const { db, product } = app;
  const now = app.clock();
  const month = usageMonthOf(now, product.timeZone);
  const { devices, values, ...rows } = await batchNamed(db, {
    ...planReads(app, accountId, now),
    devices: listDevices(db, accountId),
    values: listUsage(db, accountId, month),
  });
  const shown = shownPlan(app, rows, now);
  const plan = namedPlan(product, shown.running?.planId);
  const free = freePlan(product);
  return {
    ...shown,
    /** Null without an active plan. */
    plan,
    /** Null without a plan, since there are no limits then, and in a product without devices, which report all usage. */
    usage:
      plan && hasDevices(product)
        ? {
            devices: { used: devices.length, limit: seatsOf(plan) },
            meters: readMeters(product.meters, limitsOf(product, plan), values, month),
          }
        : null,
    /** What is used beyond the free plan, which follows a cancelled one. */
    excess:
      shown.running && free ? excessOver(product.meters, free.limits, { devices: devices.length, values, month }) : [],
  };
}
