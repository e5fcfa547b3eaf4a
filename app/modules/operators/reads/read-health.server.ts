import type { App } from "#app/app.ts";
import type { FeatureHealth } from "#app/core/feature-health.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { findNewestMigration } from "#app/db/database.server.ts";
import { countDueCustomers } from "#app/modules/billing/sync/everyone.queries.server.ts";
import { siteQuota } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { countUses } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { listCronCursors } from "../queries.server.ts";
import {
  countByPlanTrouble,
  countUnhandledEvents,
  countUnsentEmails,
  countMismatched,
} from "../everyone.queries.server.ts";
import { describeHealth, type Health } from "../health.rules.ts";

type Needed = Pick<
  App,
  | "db"
  | "clock"
  | "product"
  | "emailService"
  | "payments"
  | "stripeDashboard"
  | "isTestMode"
  | "challenge"
  | "hooks"
  | "weakSecrets"
>;

/** How the site runs, for the operators' `/healthz`. */
export async function readHealth(app: Needed): Promise<Health> {
  const { db } = app;
  const now = app.clock();
  const site = siteQuota(app.product);
  const [{ cursors, emails, events, syncs, uses, mismatches, plans }, newestMigration, { meta }] = await Promise.all([
    batchNamed(db, {
      cursors: listCronCursors(db),
      emails: countUnsentEmails(db),
      events: countUnhandledEvents(db),
      syncs: countDueCustomers(db, now),
      uses: countUses(db, site, now),
      mismatches: countMismatched(db, now),
      plans: countByPlanTrouble(db),
    }),
    findNewestMigration(db),
    // D1 reports the size of the database with every answer; drizzle drops it.
    db.$client.prepare("select 1").run(),
  ]);
  const ofFeatures: FeatureHealth = {};
  for (const { health } of app.hooks) Object.assign(ofFeatures, health?.(app));
  return describeHealth({
    now,
    cursors,
    emailService: app.emailService,
    emails,
    events,
    // Without keys of Stripe nobody is asked about.
    syncs: (app.payments && syncs[0]) ?? { count: 0, oldestAt: null },
    plans: plans[0] ?? { pausedAtFirst: 0, unclaimed: 0 },
    mismatches: mismatches[0] ?? { count: 0, owed: 0 },
    emailsOfSite: { used: uses[0]?.count ?? 0, max: site.max },
    databaseBytes: meta.size_after,
    newestMigration,
    stripe: {
      hasKeys: app.payments !== null,
      hasDashboard: app.stripeDashboard !== null,
      isTestMode: app.isTestMode,
    },
    ofFeatures,
    weakSecrets: app.weakSecrets(),
  });
}
