import { invariant } from "#app/core/invariant.ts";
import { batchNamed, type Statement } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { limitsOf, planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { sql } from "drizzle-orm";
import { dayMs } from "#app/core/time/time.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { emailIdOf } from "#app/modules/email/rules.ts";
import type { UsageEmail } from "../emails.messages.ts";
import { addEmail, listEmailsSince } from "#app/modules/email/queries.server.ts";
import type { Meter } from "#app/modules/catalogue/rules.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { findRunningPlan } from "../../subscriptions/queries.server.ts";
import { clockAheadMs, dueWarning, usageMonthOf, readMeter, type Warning } from "../rules.ts";
import { changeUsage, listUsage, type UsageAccount } from "../queries.server.ts";

/** Longer than a month. */
const monthMaxMs = 32 * dayMs;

type Deps = Base & Site & Secrets & Outbox;

type Reporter = {
  account: UsageAccount;
  /** What reports, for example an installation: of a `last` meter the newest value of each counts, and all are added up. */
  source: string;
  /** Where its owner sees what is used, below the site's address. */
  path: string;
  /** What else is written when it reports, in the same batch. */
  alongside?: readonly Statement[];
};
export type Report = { meter: string; value: number; at: number };
export type Usage = { meter: string; used: number; limit: number };

/**
 * Stores a report of a meter and returns the total of the account. One round trip; another one if a warning is due, which is sent once per
 * month, meter and limit. Null if there is no account.
 */
export async function reportUsage(
  app: Deps,
  { account, source, path, alongside = [] }: Reporter,
  { meter: key, value, at }: Report,
): Promise<Result<Usage, { reason: "report-from-future" }> | null> {
  const { db, product } = app;
  const now = app.clock();
  const meter = product.meters.find((candidate) => candidate.key === key);
  invariant(meter, `The product has no meter ${key}`);
  if (at > now + clockAheadMs) return refused({ reason: "report-from-future" });
  const month = usageMonthOf(now, product.timeZone);
  const {
    plan: [running],
    values,
    account: [owner],
    warned,
  } = await batchNamed(db, {
    usage: changeUsage(db, {
      account,
      source,
      meter: key,
      kind: meter.kind,
      month: usageMonthOf(at, product.timeZone),
      value,
      at,
    }),
    alongside,
    plan: findRunningPlan(db, account),
    values: listUsage(app, account, month),
    account: findAccount(db, account),
    warned: listEmailsSince(db, account, ["usage-high", "usage-full"], now - monthMaxMs),
  });
  if (!owner) return null;
  const plan = planInForce(app.product, running?.planId);
  const limit = limitsOf(app.product, plan)[meter.limit] ?? 0;
  const used = readMeter(meter, values, month)?.value ?? 0;
  const emailKey = `${owner.id}.usage.${month}.${key}.${limit}.`;
  const warnedOf = (["high", "full"] as const).filter((each) =>
    warned.some(({ id }) => id === emailIdOf(emailKey + each)),
  );
  const warning = plan && dueWarning(used, limit, warnedOf);
  const { email, locale, emailsOff } = owner;
  if (warning && !emailsOff.includes("usage")) {
    const content = emailOf(app, warning, { meter, used, limit, locale, path });
    const sealedEmail = await sealEmail(app, email, content, emailKey + warning);
    const queued = await addEmail(db, sealedEmail, sql`${account} is not null`);
    if (queued.meta.changes === 1) app.later(deliverEmail(app, sealedEmail.id));
  }
  return done({ meter: key, used, limit });
}

type MeterReading = { meter: Meter; used: number; limit: number; locale: string; path: string };

function emailOf(app: Deps, warning: Warning, { meter, used, limit, locale, path }: MeterReading): UsageEmail {
  return {
    template: `usage-${warning}`,
    what: meter.label,
    used: formatQuantity(used, meter.unit, locale),
    limit: formatQuantity(limit, meter.unit, locale),
    url: app.origin + path,
    offUrl: app.origin + pagePaths.notifications,
  };
}
