import { changeJobCursor, findJobCursor } from "#app/db/job-cursors.server.ts";
import type { EmailId } from "#app/core/id.ts";
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { invariant } from "#app/core/invariant.ts";
import type { Base, Outbox, PaymentAccess, Secrets, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, formatMonth } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { PlanEmail } from "#app/modules/billing/subscriptions/emails.messages.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { priceMinorOf } from "#app/modules/catalogue/rules.ts";
import { segmentPath, pagePaths } from "#app/core/page-paths.ts";
import { changeFormerPlans } from "#app/modules/catalogue/everyone.queries.server.ts";
import {
  cardReminderMs,
  reminderKey,
  cardMonthOf,
  nameMethod,
  type ReminderKind,
  renewalReminderMs,
} from "../reminders.rules.ts";
import { stillRenews } from "../queries.server.ts";
import { findEndOfSection, listExpiringCards, listRenewals, listToLock } from "../everyone.queries.server.ts";
import { subscriptionEmails } from "../subscription-emails.server.ts";
import { nextCharge, type Subscription } from "../rules.ts";

type Deps = Base & Site & Secrets & Outbox & PaymentAccess;
type Written = { statements: Statement[]; emailIds: EmailId[] };
type Due = { subscription: Subscription; owner: Account; creditMinor: number };

/** Plans of each kind per run of the cron job. */
const subscriptionsMax = 25;
/** Plans with an upcoming charge that one run reads. */
const lookedAtMax = 500;

/**
 * The cron job's work on plans: locks those whose grace has ended, and reminds of yearly renewals and expiring cards. Idempotent and safe
 * to kill: each plan is one batch, and each email is unique by its key.
 */
export async function sweepSubscriptions(app: Deps): Promise<void> {
  const { db } = app;
  const now = app.clock();
  await reportFormerPlans(app, now);
  // Separate queries: a D1 batch returns objects by column name, and these joins have some names twice.
  for (const row of await listToLock(db, now, subscriptionsMax)) await emailOnce(app, lock, row);
  await lookAhead(app, "renewal-notice", now, renewalReminderMs(app.product), listRenewals);
  await lookAhead(app, "card-expiring", now, cardReminderMs, listExpiringCards);
}

/** Reports, once, a plan that the config no longer has although it has subscribers, who keep it. */
async function reportFormerPlans({ db, product, report }: Deps, now: number): Promise<void> {
  const former = product.plans.filter(({ isFormer }) => isFormer).map(({ id }) => id);
  if (former.length === 0) return;
  for (const { planId } of await changeFormerPlans(db, former, now)) {
    const wayOut = "They keep it. Put it back into app/product/config.ts, with sold: false to retire it.";
    report(new Error(`Plan "${planId}" has subscribers and isn't in the config. ${wayOut}`));
  }
}

/**
 * Emails about upcoming charges within this time. Each run reads a section of them, the next run continues after it, and the one after the
 * last section starts again.
 */
async function lookAhead(app: Deps, kind: ReminderKind, now: number, withinMs: number, list: typeof listRenewals) {
  const cursor = Number(await findJobCursor(app.db, kind));
  const section = { from: Math.max(cursor, now), until: now + withinMs };
  const until = await findEndOfSection(app.db, section, lookedAtMax);
  const rows = await list(app.db, { ...section, until }, subscriptionsMax);
  for (const row of rows) await emailOnce(app, (deps, due) => remind(deps, due, kind), row);
  const next = until < section.until ? until : 0;
  if (next !== cursor) await changeJobCursor(app.db, kind, next);
}

type Row = Awaited<ReturnType<typeof listToLock>>[number];

async function emailOnce(app: Deps, write: (app: Deps, due: Due) => Promise<Written>, row: Row): Promise<void> {
  try {
    const { statements, emailIds } = await write(app, row);
    const [first, ...others] = statements;
    if (first) await app.db.batch([first, ...others]);
    for (const id of emailIds) app.later(deliverEmail(app, id));
  } catch (error) {
    // A plan that fails doesn't delay the others.
    app.report(error);
  }
}

/** Makes the same step that a sync would make; only one of them sends the email. */
function lock(app: Deps, { subscription, owner, creditMinor }: Due): Promise<Written> {
  const locked: Subscription = { ...subscription, state: "past-due-locked" };
  return subscriptionEmails(app, owner, { stored: [subscription], rows: [locked] }, creditMinor, app.wallClock());
}

async function remind(app: Deps, { subscription, owner, creditMinor }: Due, kind: ReminderKind): Promise<Written> {
  const email = await sealEmail(
    app,
    owner.email,
    emailFor(app, owner, subscription, { kind, creditMinor }),
    reminderKey(kind, subscription),
  );
  return { statements: [addEmail(app.db, email, stillRenews(subscription))], emailIds: [email.id] };
}

function emailFor(
  app: Deps,
  owner: Account,
  subscription: Subscription,
  { kind, creditMinor }: { kind: ReminderKind; creditMinor: number },
): PlanEmail {
  const isPending = (subscription.pendingAt ?? Infinity) <= subscription.periodEndsAt;
  const planId = isPending ? subscription.pendingPlanId : subscription.planId;
  const facts = {
    what: whatIsSold(app.product, planId),
    nextCharge: formatDay(chargedAt(subscription.periodEndsAt), owner),
    url: app.origin + segmentPath(app.product, "plan"),
  };
  switch (kind) {
    case "renewal-notice": {
      const charge = nextCharge(subscription, priceMinorOf.bind(null, app.product), creditMinor);
      invariant(charge, `Plan ${subscription.id} is due a renewal notice, but no charge is due`);
      const amount = formatMoney(charge, owner.locale);
      const hasMonthNotice = app.product.afterFirstTerm === "month-notice";
      const offUrl = app.origin + pagePaths.notifications;
      return { template: "renewal-notice", ...facts, amount, hasMonthNotice, offUrl };
    }
    case "card-expiring": {
      const expires = formatMonth(cardMonthOf(subscription.cardExpires ?? ""), { ...owner, timeZone: "UTC" });
      return { template: "card-expiring", ...facts, card: nameMethod(subscription) ?? "", expires };
    }
  }
}
