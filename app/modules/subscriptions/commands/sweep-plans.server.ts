import type { EmailId } from "#app/core/id.ts";
import { invariant } from "#app/core/invariant.ts";
import type { App } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, formatMonth } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { PlanEmail } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { priceMinorOf, segmentPath } from "#app/modules/catalogue/rules.ts";
import { noteFormerPlans } from "../former-plans.queries.server.ts";
import { cardNoticeMs, causeOf, monthOf, nameCard, type NoticeKind, renewalNoticeMs } from "../notices.rules.ts";
import {
  changeJobCursor,
  endOfSection,
  findJobCursor,
  stillRenews,
  listExpiringCards,
  listRenewals,
  listToLock,
} from "../notices.queries.server.ts";
import { subscriptionEmails } from "../subscription-emails.server.ts";
import { nextCharge, type Subscription } from "../rules.ts";

type Deps = App;
type Written = { statements: Statement[]; emailIds: EmailId[] };
type Due = { plan: Subscription; owner: Account; creditMinor: number };

/** Plans of each kind per run of the cron job. */
const plansMax = 25;
/** Plans with an upcoming charge that one run reads. */
const lookedAtMax = 500;

/**
 * The cron job's part: locks plans whose grace is over, and emails notices of yearly renewals and expiring cards. Idempotent and safe to
 * kill: each plan is one batch, and each email is unique by its cause.
 */
export async function sweepPlans(app: Deps): Promise<void> {
  const { db } = app;
  const now = app.clock();
  await reportFormerPlans(app, now);
  // Separate queries: a D1 batch returns objects by column name, and these joins have some names twice.
  for (const row of await listToLock(db, now, plansMax)) await emailOnce(app, lock, row);
  await lookAhead(app, "renewal-notice", now, renewalNoticeMs, listRenewals);
  await lookAhead(app, "card-expiring", now, cardNoticeMs, listExpiringCards);
}

/** Plans with subscribers that the config no longer has: subscribers keep them, and it is reported once. */
async function reportFormerPlans({ db, product, report }: Deps, now: number): Promise<void> {
  const former = product.plans.filter(({ isFormer }) => isFormer).map(({ id }) => id);
  if (former.length === 0) return;
  for (const { planId } of await noteFormerPlans(db, former, now)) {
    const wayOut = "They keep it. Put it back into app/product/config.ts, with sold: false to retire it.";
    report(new Error(`Plan "${planId}" has subscribers and isn't in the config. ${wayOut}`));
  }
}

/** Reads upcoming charges within this time, a section per run: the next run continues after it, and wraps around at the end. */
async function lookAhead(app: Deps, kind: NoticeKind, now: number, withinMs: number, list: typeof listRenewals) {
  const mark = Number(await findJobCursor(app.db, kind));
  const section = { from: Math.max(mark, now), until: now + withinMs };
  const until = await endOfSection(app.db, section, lookedAtMax);
  const rows = await list(app.db, { ...section, until }, plansMax);
  for (const row of rows) await emailOnce(app, (deps, due) => notice(deps, due, kind), row);
  const next = until < section.until ? until : 0;
  if (next !== mark) await changeJobCursor(app.db, kind, next);
}

type Row = Awaited<ReturnType<typeof listToLock>>[number];

async function emailOnce(app: Deps, write: (app: Deps, due: Due) => Promise<Written>, row: Row): Promise<void> {
  try {
    const due = { ...row, plan: row.plan, owner: row.owner };
    const { statements, emailIds } = await write(app, due);
    const [first, ...others] = statements;
    if (first) await app.db.batch([first, ...others]);
    for (const id of emailIds) app.later(deliverEmail(app, id));
  } catch (error) {
    // A plan that fails doesn't delay the others.
    app.report(error);
  }
}

/** The same step that a sync would make; only one of them sends the email. */
function lock(app: Deps, { plan, owner, creditMinor }: Due): Promise<Written> {
  const locked: Subscription = { ...plan, state: "past-due-locked" };
  return subscriptionEmails(app, owner, { stored: [plan], rows: [locked] }, creditMinor, app.wallClock());
}

async function notice(app: Deps, { plan, owner, creditMinor }: Due, kind: NoticeKind): Promise<Written> {
  const email = await sealEmail(
    app,
    owner.email,
    emailFor(app, owner, plan, { kind, creditMinor }),
    causeOf(kind, plan),
  );
  return { statements: [addEmail(app.db, email, stillRenews(plan))], emailIds: [email.id] };
}

function emailFor(
  app: Deps,
  owner: Account,
  plan: Subscription,
  { kind, creditMinor }: { kind: NoticeKind; creditMinor: number },
): PlanEmail {
  const isPending = (plan.pendingAt ?? Infinity) <= plan.periodEndsAt;
  const planId = isPending ? plan.pendingPlanId : plan.planId;
  const facts = {
    what: whatIsSold(app.product, planId),
    nextCharge: formatDay(plan.periodEndsAt, owner),
    url: app.origin + segmentPath(app.product, "plan"),
  };
  switch (kind) {
    case "renewal-notice": {
      const charge = nextCharge(plan, priceMinorOf.bind(null, app.product), creditMinor);
      invariant(charge, `Plan ${plan.id} is due a renewal notice, but no charge is due`);
      const amount = formatMoney(charge, owner.locale);
      return { template: "renewal-notice", ...facts, amount, offUrl: `${app.origin}/settings#mails` };
    }
    case "card-expiring": {
      const expires = formatMonth(monthOf(plan.cardExpires ?? ""), { ...owner, timeZone: "UTC" });
      return { template: "card-expiring", ...facts, card: nameCard(plan) ?? "", expires };
    }
  }
}
