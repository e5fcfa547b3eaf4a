import type { AccountId } from "#app/core/id.ts";
import type { Base, Site } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { limitsOf } from "#app/modules/catalogue/catalogue.rules.ts";
import { freePlan } from "#app/modules/catalogue/rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { planReads, shownPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { listUsage } from "../queries.server.ts";
import { excessOver, readMeters, usageMonthOf } from "../rules.ts";
import { countReads, readCounts } from "./find-counts.server.ts";

/** An account's plan, and what is used of it, in one round trip. */
export async function showPlanUsage(app: Base & Site, accountId: AccountId) {
  const { db, product } = app;
  const now = app.clock();
  const month = usageMonthOf(now, product.timeZone);
  const {
    counts: counted,
    values,
    ...rows
  } = await batchNamed(db, {
    ...planReads(app, accountId, now),
    counts: countReads(app, accountId),
    values: listUsage(app, accountId, month),
  });
  const counts = readCounts(app, counted);
  const shown = shownPlan(app, rows, now);
  const plan = namedPlan(product, shown.running?.planId);
  const free = freePlan(product);
  return {
    ...shown,
    /** Null without an active plan. */
    plan,
    /** Null without a plan, since there are no limits then, and in a product whose plans limit nothing that is used. */
    usage:
      plan && counts.length + product.meters.length > 0
        ? {
            counts: counts.map((each) => ({ ...each, limit: plan.limits[each.name] ?? 0 })),
            meters: readMeters(product.meters, limitsOf(product, plan), values, month),
          }
        : null,
    /** What is used beyond the free plan, which follows a cancelled one. */
    excess: shown.running && free ? excessOver(product.meters, free.limits, { counts, values, month }) : [],
  };
}
