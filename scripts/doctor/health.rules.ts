/**
 * Decides what is wrong with how a site runs, from what `/healthz` reports to operators. Invariants: times are compared on the site's own
 * clock; emails that the outbox gave up are no problem by themselves, since an address may not exist. Called from `checks.ts`.
 */
import { chosenEmailService } from "#app/integrations/email/email-services.ts";
import type { Health } from "#app/modules/operators/health.rules.ts";
import { quotaPatienceMs } from "#app/modules/email/retries.rules.ts";
import { dayMs, formatSpan, minuteMs } from "#app/core/time/time.ts";
import { emailServices } from "./email-services.ts";
import type { SiteFacts } from "./facts.ts";
import { about, isUnasked, notChecked, ok, problem, type Verdict } from "./verdict.ts";

/** The cron job runs once a minute, and may be late by a few. */
export const cronLateMs = 5 * minuteMs;
/** Longer than the first retries of an email or event take. */
export const waitsLongMs = 30 * minuteMs;
/** A failed email says for this long that the quota is used up: most quotas are counted by the day. */
const quotaReportedMs = dayMs;
/** The share of a limit from which it is reported as nearly used up. */
export const quotaShareMax = 0.8;

/** Decides if the site has said how it runs. Otherwise says why it hasn't. */
export function withHealth({ health }: Pick<SiteFacts, "health">, decide: (health: Health) => Verdict): Verdict {
  return about(health, ({ status, health: known }) => {
    if (status === 401)
      return notChecked("the site refuses this OPERATOR_TOKEN: take the one of `npm run secrets -- --save`");
    if (status === 503 && known === null)
      return notChecked("/healthz answers 503: the site isn't ready, or MAINTENANCE is set");
    if (known === null) return notChecked(`/healthz answers ${status} without a report: deploy this release first`);
    return decide(known);
  });
}

export function checkMigrations(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ newestMigration }) =>
    newestMigration === facts.newestMigration
      ? ok(`the newest is ${newestMigration}`)
      : problem(
          `the newest is ${newestMigration ?? "none"}, and this clone's ${facts.newestMigration}`,
          "Run `npm run deploy`, or the doctor in the clone that was deployed.",
        ),
  );
}

export function checkCron(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ checkedAt, cron: { lastRunAt, failedJobs } }) => {
    const seconds = lastRunAt === null ? null : Math.round((checkedAt - lastRunAt) / 1000);
    if (seconds === null || seconds * 1000 > cronLateMs)
      return problem(
        seconds === null ? "it has never run" : `it last ran ${Math.round(seconds / 60)} minutes ago`,
        "Check the cron trigger of the Worker, and `npx wrangler tail` for runs that are killed.",
      );
    if (failedJobs.length > 0)
      return problem(`failed in its last run: ${failedJobs.join(", ")}`, "Look for the errors in `npx wrangler tail`.");
    return ok(`it ran ${seconds} seconds ago`);
  });
}

export function checkOutbox(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ checkedAt, emails }) => {
    const { queued, oldestQueuedAt, failed, queuedForQuota, failedForQuota, newestForQuotaAt } = emails;
    const { name, raiseQuota, whenEmailsWait } = emailServices[chosenEmailService(emails.service)];
    const isQuotaUsed = newestForQuotaAt !== null && checkedAt - newestForQuotaAt < quotaReportedMs;
    if (queuedForQuota > 0 || isQuotaUsed)
      return problem(
        `the quota of ${name} is used up: ${queuedForQuota} emails wait for it, ${failedForQuota} failed, and ${queued} wait in all`,
        `${raiseQuota}. Emails without a code wait ${formatSpan(quotaPatienceMs)} for it.`,
      );
    if (oldestQueuedAt !== null && checkedAt - oldestQueuedAt > waitsLongMs)
      return problem(
        `${queued} emails wait, the oldest for ${Math.round((checkedAt - oldestQueuedAt) / minuteMs)} minutes`,
        `${whenEmailsWait}, and the errors in \`npx wrangler tail\`.`,
      );
    return ok(`${queued} emails wait, ${failed} failed for good${failed > 0 ? " (`npm run ops -- review`)" : ""}`);
  });
}

export function checkInbox(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ checkedAt, events: { unprocessed, oldestUnprocessedAt, givenUp } }) => {
    if (givenUp > 0)
      return problem(
        `${givenUp} of Stripe's events were given up`,
        "List them with `npm run ops -- review`, and their errors.",
      );
    if (oldestUnprocessedAt !== null && checkedAt - oldestUnprocessedAt > waitsLongMs)
      return problem(
        `${unprocessed} of Stripe's events wait, the oldest for ${Math.round((checkedAt - oldestUnprocessedAt) / minuteMs)} minutes`,
        "Check that Stripe answers and the Worker's key has the permissions of docs/guides/deploy.md.",
      );
    return ok(`${unprocessed} of Stripe's events wait`);
  });
}

/** The cron job syncs some forty customers in a run, so many may be due for a while after an outage, and none for long otherwise. */
export function checkSyncs(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ checkedAt, syncs: { due, oldestDueAt } }) => {
    const waitsMs = oldestDueAt === null ? 0 : checkedAt - oldestDueAt;
    if (waitsMs > waitsLongMs)
      return problem(
        `${due} customers wait to be compared with Stripe, the oldest for ${Math.round(waitsMs / minuteMs)} minutes`,
        "After an outage of Stripe or of the cron job, wait while the number falls. Otherwise look for errors in `npx wrangler tail`.",
      );
    return ok(`${due} customers wait to be compared with Stripe`);
  });
}

export function checkPayments(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ mismatches: { listed, owed } }) => {
    if (owed > 0)
      return problem(
        `${owed} payments weren't what was asked for, and Stripe didn't send the money back`,
        "Refund them in Stripe's dashboard: `npm run ops -- review mismatches` names them.",
      );
    return ok(
      listed === 0
        ? "all were what was asked for"
        : `${listed} in a month weren't what was asked for, and are settled (\`npm run ops -- review mismatches\`)`,
    );
  });
}

/** Stripe's API doesn't show how failed renewals are retried: only what became of them tells. */
export function checkRetries(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ plans: { pausedAtFirst } }) =>
    pausedAtFirst > 0
      ? problem(
          `${pausedAtFirst} plans were paused by Stripe after the first failed attempt, without the days of grace`,
          "In Stripe's dashboard, Billing, Revenue recovery, Retries, turn off pausing after the first failure, as `npm run stripe:setup` lists it.",
        )
      : ok("no plan was paused after the first failed attempt (a setting at Stripe: `npm run stripe:setup` lists it)"),
  );
}

export function checkUnclaimed(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ plans: { unclaimed } }) =>
    unclaimed > 0
      ? problem(
          `${unclaimed} of Stripe's customers have a plan and no account`,
          "List them with `npm run ops -- review unclaimed`, which says for each what to do.",
        )
      : ok("every customer with a plan has an account"),
  );
}

export function checkQuotas(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ quotas }) => {
    const near = quotas.find(({ used, max }) => used >= max * quotaShareMax);
    if (near)
      return problem(
        `${near.name}: ${near.used} of ${near.max}`,
        "Find out who causes it, or raise the limit in the rules of its module.",
      );
    return ok(quotas.map(({ name, used, max }) => `${name}: ${used} of ${max}`).join("; "));
  });
}

export function checkSecrets(facts: SiteFacts): Verdict {
  if (facts.isLocal) return notChecked("local");
  if (facts.isTokenWeak)
    return problem("OPERATOR_TOKEN doesn't look random", "Replace it: `npx wrangler secret put OPERATOR_TOKEN`.");
  return withHealth(facts, ({ weakSecrets }) =>
    weakSecrets.length === 0
      ? ok("the secrets look random")
      : problem(
          `${weakSecrets.join(", ")} doesn't look random`,
          "Replace it as docs/guides/deploy.md, section 3, says: `npm run secrets` generates random ones.",
        ),
  );
}

export function checkStripeMode(facts: SiteFacts): Verdict {
  return withHealth(facts, ({ stripe }) => {
    if (stripe === "off") return notChecked("paid plans aren't on sale: STRIPE_SECRET_KEY isn't set");
    const given = isUnasked(facts.stripe) ? null : facts.stripe.isTestKey ? "test" : "live";
    if (given !== null && stripe !== "emulator" && given !== stripe)
      return problem(
        `the site has a ${stripe} key, and the doctor a ${given} one`,
        `Give the doctor the ${stripe} key.`,
      );
    if (stripe === "live") return ok("live: customers are charged");
    return ok(stripe === "test" ? "test mode: no customer is charged" : "the local emulator");
  });
}
