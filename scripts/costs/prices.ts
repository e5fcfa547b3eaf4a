/**
 * Prices in US dollars and limits as published in November 2026; check them before you decide:
 * - Workers: https://developers.cloudflare.com/workers/platform/pricing/ and …/workers/platform/limits/
 * - D1: https://developers.cloudflare.com/d1/platform/pricing/ and …/d1/platform/limits/
 * - KV: https://developers.cloudflare.com/kv/platform/pricing/
 * - Email Sending: https://developers.cloudflare.com/email-service/platform/pricing/ and …/limits/
 */

/** What is counted, each in its own unit. */
export const resources = [
  "requests",
  "cpuMs",
  "rowsRead",
  "rowsWritten",
  "storageGb",
  "kvReads",
  "kvWrites",
  "emails",
] as const;
export type Resource = (typeof resources)[number];

/** The price of Workers Paid for a month. */
export const paidPlanUsd = 5;

/** Workers Paid: what a month includes, and the price of `per` more. */
export const paidPrices: Readonly<Record<Resource, { included: number; per: number; usd: number }>> = {
  requests: { included: 10_000_000, per: 1_000_000, usd: 0.3 },
  cpuMs: { included: 30_000_000, per: 1_000_000, usd: 0.02 },
  rowsRead: { included: 25_000_000_000, per: 1_000_000, usd: 0.001 },
  rowsWritten: { included: 50_000_000, per: 1_000_000, usd: 1 },
  storageGb: { included: 5, per: 1, usd: 0.75 },
  kvReads: { included: 10_000_000, per: 1_000_000, usd: 0.5 },
  kvWrites: { included: 1_000_000, per: 1_000_000, usd: 5 },
  emails: { included: 3_000, per: 1_000, usd: 0.35 },
};

/** The limits of Workers Free per day, except for one database's storage. Emails go to verified addresses alone, not to customers. */
export const freePerDay: Readonly<Partial<Record<Resource, number>>> = {
  requests: 100_000,
  rowsRead: 5_000_000,
  rowsWritten: 100_000,
  storageGb: 0.5,
  kvReads: 100_000,
  kvWrites: 1_000,
  emails: 0,
};

/** The limits of Workers Free for one request or one run of the cron job. */
export const freePerRequest = { cpuMs: 10, subrequests: 50 };

/** The maximum size of a D1 database on Workers Paid. */
export const databaseGbMax = 10;
