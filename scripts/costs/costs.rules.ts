/**
 * Decides what a number of customers uses and costs in a month. Invariants: more customers never use or cost less; what the benchmarks
 * measured is passed in and never repeated here. Called from `npm run costs`.
 */
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import type { Activity } from "./activity.ts";
import { freePerDay, freePerRequest, paidPlanUsd, paidPrices, type Resource, resources } from "./prices.ts";

/** What one request of a kind takes, as the benchmarks measured it. */
export type RequestCost = { requests: number; cpuMs: number; rowsRead: number; rowsWritten: number };

/** The costs by kind of request, from `npm run bench -- pages scale`. */
export type Measured = {
  visit: RequestCost;
  page: RequestCost;
  signIn: RequestCost;
  signUp: RequestCost;
  check: RequestCost;
  report: RequestCost;
  event: RequestCost;
  cronRun: RequestCost;
  /** Rows that a cron run reads more for each customer. */
  cronRowsPerCustomer: number;
  /** Calls to Stripe, the database and the email service in the busiest run of the cron job. */
  subrequestsMax: number;
  /** Processor time of the most expensive page. */
  cpuMsMax: number;
};

export type Usage = Record<Resource, number>;

const daysPerMonth = 30;
const cronRunsPerMonth = (daysPerMonth * dayMs) / minuteMs;

/** Usage in a month. */
export function usageOf(customers: number, activity: Activity, measured: Measured): Usage {
  const paying = customers * activity["paying-share"];
  const signIns = customers * activity["sign-ins"];
  const signUps = customers * activity["new-share"];
  const devices = paying * activity.devices;
  const times: [RequestCost, number][] = [
    [measured.visit, customers * activity.visits],
    [measured.page, customers * activity.pages],
    [measured.signIn, signIns],
    [measured.signUp, signUps],
    [measured.check, devices * activity.checks],
    [measured.report, devices * activity.reports],
    [measured.event, paying * activity.events],
    [measured.cronRun, cronRunsPerMonth],
  ];
  const sum = (of: keyof RequestCost) => times.reduce((total, [cost, count]) => total + cost[of] * count, 0);
  return {
    requests: sum("requests"),
    cpuMs: sum("cpuMs"),
    rowsRead: sum("rowsRead") + cronRunsPerMonth * measured.cronRowsPerCustomer * customers,
    rowsWritten: sum("rowsWritten"),
    storageGb: (customers * activity.kilobytes) / 1_000_000,
    // KV stores which link a browser came by, and how it signed in last.
    kvReads: signIns + 2 * signUps,
    kvWrites: signIns + signUps,
    emails: signIns + signUps + paying * activity.notices,
  };
}

/** The price on Workers Paid in US dollars a month. Each line costs what is used beyond what the plan includes. */
export function priceOf(usage: Usage): { lines: { resource: Resource; used: number; usd: number }[]; usd: number } {
  const lines = resources.map((resource) => {
    const { included, per, usd } = paidPrices[resource];
    return { resource, used: usage[resource], usd: (Math.max(0, usage[resource] - included) / per) * usd };
  });
  return { lines, usd: lines.reduce((sum, line) => sum + line.usd, paidPlanUsd) };
}

/** Stripe's fees in a month. */
export function stripeFees(customers: number, activity: Activity): number {
  const payment = (activity.price * activity["fee-percent"]) / 100 + activity["fee-fixed"];
  return customers * activity["paying-share"] * payment;
}

type FreeLimit = { limit: Resource | "cpuMsOfRequest" | "subrequests"; used: number; max: number };

/** The limits of Workers Free, per day or per request, with those that are exceeded most first. */
export function freeLimits(
  usage: Usage,
  { cpuMsMax, subrequestsMax }: Measured,
): (FreeLimit & { isPassed: boolean })[] {
  const perDay = resources.flatMap((limit): FreeLimit[] => {
    const max = freePerDay[limit];
    if (max === undefined) return [];
    return [{ limit, used: limit === "storageGb" ? usage[limit] : usage[limit] / daysPerMonth, max }];
  });
  const perRequest: FreeLimit[] = [
    { limit: "cpuMsOfRequest", used: cpuMsMax, max: freePerRequest.cpuMs },
    { limit: "subrequests", used: subrequestsMax, max: freePerRequest.subrequests },
  ];
  return [...perDay, ...perRequest]
    .map((each) => ({ ...each, isPassed: each.used > each.max }))
    .sort((one, other) => other.used / other.max - one.used / one.max);
}
