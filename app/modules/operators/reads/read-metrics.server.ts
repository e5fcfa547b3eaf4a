import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { countReasons } from "#app/modules/billing/subscriptions/everyone.queries.server.ts";
import { lastMonths, monthlyRevenue } from "../rules.ts";
import { countAccounts, countPlans, sumRevenue } from "../everyone.queries.server.ts";

/**
 * Business figures: accounts, subscribers, overdue payments, and the last twelve months' revenue and cancellations, by the seller's
 * calendar; and those of hooks.
 */
export async function readMetrics(app: Pick<App, "db" | "clock" | "product" | "hooks">) {
  const { db } = app;
  const counting = app.hooks.filter(({ operators }) => operators !== undefined);
  const months = lastMonths(app.clock(), app.product.timeZone, 12);
  const { accounts, ofHooks, plans, revenue, cancellations } = await batchNamed(db, {
    accounts: countAccounts(db),
    ofHooks: counting.flatMap(({ operators }) => operators?.numbers(db) ?? []),
    plans: countPlans(db),
    revenue: sumRevenue(db, months),
    cancellations: countReasons(db, months[0].startsAt),
  });
  const running = plans.filter(({ state }) => state === "active" || state === "past-due-grace");
  return {
    accounts,
    ...Object.fromEntries(counting.map(({ name }, index) => [name, ofHooks[index]])),
    plans,
    monthly: monthlyRevenue(running),
    revenue: revenue.map(({ month, ...sums }) => ({ month: months[month]?.name ?? "", ...sums })),
    /** By the reason that was given, if any. */
    cancellations,
  };
}
