import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { countReasons } from "#app/modules/billing/subscriptions/everyone.queries.server.ts";
import { lastMonths, monthlyRevenue } from "../rules.ts";
import { countAccounts, countEntries, countPlans, sumRevenue } from "../everyone.queries.server.ts";

/**
 * Business figures: waitlist, accounts, subscribers, overdue payments, and the last twelve months' revenue and cancellations, by the seller's
 * calendar.
 */
export async function readMetrics(app: Pick<App, "db" | "clock" | "product">) {
  const { db } = app;
  const months = lastMonths(app.clock(), app.product.timeZone, 12);
  const { accounts, entries, plans, revenue, cancellations } = await batchNamed(db, {
    accounts: countAccounts(db),
    entries: countEntries(db),
    plans: countPlans(db),
    revenue: sumRevenue(db, months),
    cancellations: countReasons(db, months[0].startsAt),
  });
  const running = plans.filter(({ state }) => state === "active" || state === "past-due-grace");
  return {
    accounts,
    waitlist: entries,
    plans,
    monthly: monthlyRevenue(running),
    revenue: revenue.map(({ month, ...sums }) => ({ month: months[month]?.name ?? "", ...sums })),
    /** By the reason that was given, if any. */
    cancellations,
  };
}
