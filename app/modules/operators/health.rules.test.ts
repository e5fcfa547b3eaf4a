import { expect, test } from "vitest";
import { describeHealth, type HealthFacts } from "./health.rules.ts";

const now = Date.UTC(2026, 10, 20, 12);
const fresh: HealthFacts = {
  now,
  cursors: [],
  emailService: "resend",
  emails: [],
  events: [],
  syncs: { count: 0, oldestAt: null },
  mismatches: { count: 0, owed: 0 },
  plans: { pausedAtFirst: 0, unclaimed: 0 },
  emailsOfSite: { used: 0, max: 5000 },
  databaseBytes: 4096,
  newestMigration: "0001_first.sql",
  stripe: { hasKeys: true, hasDashboard: true, isTestMode: false },
  ofFeatures: {},
  weakSecrets: [],
};

test("a new site has no run of the cron job, and nothing waits", () => {
  expect(describeHealth(fresh)).toMatchObject({
    cron: { lastRunAt: null, failedJobs: [] },
    emails: { service: "resend", queued: 0, oldestQueuedAt: null, failed: 0, newestForQuotaAt: null },
    events: { unprocessed: 0, oldestUnprocessedAt: null, givenUp: 0 },
  });
});

test("the newest run is reported with the jobs that failed in it", () => {
  const cursors = [
    { name: "cron", cursor: String(now - 1000) },
    { name: "cron-failed", cursor: "orders ledger" },
  ];
  expect(describeHealth({ ...fresh, cursors }).cron).toEqual({
    lastRunAt: now - 1000,
    failedJobs: ["orders", "ledger"],
  });
});

test("emails and events that wait are counted apart from those that were given up", () => {
  const emails = [
    { state: "failed", count: 2, oldestAt: 1, ofQuota: 1, newestOfQuotaAt: 5 },
    { state: "queued", count: 3, oldestAt: 7, ofQuota: 2, newestOfQuotaAt: 9 },
  ];
  const events = [
    { isGivenUp: 1, count: 4, oldestAt: 2 },
    { isGivenUp: 0, count: 5, oldestAt: 8 },
  ];
  expect(describeHealth({ ...fresh, emails, events })).toMatchObject({
    emails: { queued: 3, oldestQueuedAt: 7, failed: 2, queuedForQuota: 2, failedForQuota: 1, newestForQuotaAt: 9 },
    events: { unprocessed: 5, oldestUnprocessedAt: 8, givenUp: 4 },
  });
});

test.each([
  ["live", { hasKeys: true, hasDashboard: true, isTestMode: false }],
  ["test", { hasKeys: true, hasDashboard: true, isTestMode: true }],
  ["emulator", { hasKeys: true, hasDashboard: false, isTestMode: false }],
  ["off", { hasKeys: false, hasDashboard: false, isTestMode: false }],
])("Stripe is called %s", (mode, stripe) => {
  expect(describeHealth({ ...fresh, stripe }).stripe).toBe(mode);
});
