/**
 * Decides what `/healthz` reports to operators: the cron job's newest run, what waits, what is used of each limit. Invariants: numbers, times and
 * names of our own only, never a customer's data or a secret; a site that never ran looks like none. Called from `reads/read-health`.
 */
import type { FeatureHealth } from "#app/core/feature-health.ts";

/** The job cursors that the cron job writes about its newest run. */
export const cronCursors = { endedAt: "cron", failedJobs: "cron-failed" } as const;

/** Largest D1 database, in bytes: 10 GB. On Workers' free plan it is 500 MB (https://developers.cloudflare.com/d1/platform/limits/). */
const databaseBytesMax = 10_000_000_000;

/** `emulator`: the local one; `off`: no keys are set, so paid plans aren't on sale. */
export type StripeMode = "live" | "test" | "emulator" | "off";

export type HealthFacts = {
  now: number;
  cursors: readonly { name: string; cursor: string }[];
  emailService: string;
  /** `ofQuota`: those that the service refused last because its quota was used up. */
  emails: readonly {
    state: string;
    count: number;
    oldestAt: number | null;
    ofQuota: number;
    newestOfQuotaAt: number | null;
  }[];
  /** Payments that weren't what was asked for; `owed`: of these, whose money Stripe didn't send back. */
  mismatches: { count: number; owed: number };
  /** Plans paused after the first failed attempt, and Stripe's customers with a plan and without an account. */
  plans: { pausedAtFirst: number; unclaimed: number };
  events: readonly { isGivenUp: number; count: number; oldestAt: number | null }[];
  /** Customers that the cron job has to ask Stripe about by now. */
  syncs: { count: number; oldestAt: number | null };
  /** Emails of the last hour that count against the site's quota. */
  emailsOfSite: { used: number; max: number };
  databaseBytes: number;
  newestMigration: string | null;
  stripe: { hasKeys: boolean; hasDashboard: boolean; isTestMode: boolean };
  ofFeatures: FeatureHealth;
  weakSecrets: readonly string[];
};

/** Times are in milliseconds, and null if there is none. */
export function describeHealth(facts: HealthFacts) {
  const cursorOf = (name: string) => facts.cursors.find((row) => row.name === name)?.cursor ?? "";
  const emailsIn = (wanted: string) => facts.emails.find(({ state }) => state === wanted);
  const events = (isGivenUp: boolean) => facts.events.find((row) => Boolean(row.isGivenUp) === isGivenUp);
  const ranAt = Number(cursorOf(cronCursors.endedAt));
  return {
    checkedAt: facts.now,
    cron: {
      lastRunAt: ranAt > 0 ? ranAt : null,
      failedJobs: cursorOf(cronCursors.failedJobs)
        .split(" ")
        .filter((name) => name !== ""),
    },
    emails: {
      service: facts.emailService,
      queued: emailsIn("queued")?.count ?? 0,
      oldestQueuedAt: emailsIn("queued")?.oldestAt ?? null,
      failed: emailsIn("failed")?.count ?? 0,
      queuedForQuota: emailsIn("queued")?.ofQuota ?? 0,
      failedForQuota: emailsIn("failed")?.ofQuota ?? 0,
      newestForQuotaAt: newestOf(facts.emails.map(({ newestOfQuotaAt }) => newestOfQuotaAt)),
    },
    events: {
      unprocessed: events(false)?.count ?? 0,
      oldestUnprocessedAt: events(false)?.oldestAt ?? null,
      givenUp: events(true)?.count ?? 0,
    },
    syncs: { due: facts.syncs.count, oldestDueAt: facts.syncs.oldestAt },
    mismatches: { listed: facts.mismatches.count, owed: facts.mismatches.owed },
    plans: facts.plans,
    quotas: [
      { name: "emails to unknown browsers in an hour", ...facts.emailsOfSite },
      { name: "bytes of the database", used: facts.databaseBytes, max: databaseBytesMax },
    ],
    newestMigration: facts.newestMigration,
    stripe: stripeMode(facts.stripe),
    ...facts.ofFeatures,
    weakSecrets: facts.weakSecrets,
  };
}

export type Health = ReturnType<typeof describeHealth>;

function newestOf(times: readonly (number | null)[]): number | null {
  return times.reduce((newest, time) => (newest === null || (time !== null && time > newest) ? time : newest), null);
}

export function stripeMode({ hasKeys, hasDashboard, isTestMode }: HealthFacts["stripe"]): StripeMode {
  if (!hasKeys) return "off";
  if (!hasDashboard) return "emulator";
  return isTestMode ? "test" : "live";
}
