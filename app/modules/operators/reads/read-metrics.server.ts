import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { countReasons } from "#app/modules/subscriptions/cancellation-reasons.queries.server.ts";
import { monthlyRevenue } from "../rules.ts";
import { countAccounts, countEntries, countPlans, sumRevenue } from "../queries.server.ts";

/** Business figures: waitlist, accounts, subscribers, overdue payments, and the last twelve months' revenue and cancellations. */
export async function readMetrics(app: Pick<App, "db" | "clock">) {
  const { db } = app;
  const today = new Date(app.clock());
  const since = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 11, 1);
  const { accounts, entries, plans, revenue, cancellations } = await batchNamed(db, {
    accounts: countAccounts(db),
    entries: countEntries(db),
    plans: countPlans(db),
    // An order of the seller's new year may have been paid in the old one in UTC.
    revenue: sumRevenue(db, { year: new Date(since).getUTCFullYear(), at: since }),
    cancellations: countReasons(db, since),
  });
  const running = plans.filter(({ state }) => state === "active" || state === "past-due-grace");
  return {
    accounts,
    waitlist: entries,
    plans,
    monthly: monthlyRevenue(running),
    revenue,
    /** By the reason that was given, if any. */
    cancellations,
  };
}
