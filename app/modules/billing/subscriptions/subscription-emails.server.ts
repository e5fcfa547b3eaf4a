import type { EmailId } from "#app/core/id.ts";
import type { Base, Billing, Secrets, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { formatMoney, sumMinor } from "#app/core/money/money.ts";
import { formatDay, formatMoment } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { PlanEmail } from "#app/modules/billing/subscriptions/emails.messages.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { lastDayOfData } from "#app/modules/catalogue/data-sentence.rules.ts";
import { priceMinorOf, type ProductConfig, rankOf } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { nextCharge, policies, type Subscription } from "./rules.ts";
import { endedBecause, changesToEmail, type SubscriptionChange } from "./changes-to-email.rules.ts";
import { writeStep } from "./queries.server.ts";

type Deps = Base & Site & Secrets;

/**
 * `isClosing` means that the account is closed with the plan, `isWithdrawn` that the owner has an open withdrawal from it. `declaredAt`: when
 * the cancellation was declared, if that isn't now. `undone`: subscriptions that their owner didn't cancel, but the site.
 */
type Synced = {
  stored: Subscription[];
  rows: Subscription[];
  isClosing?: boolean;
  isWithdrawn?: boolean;
  declaredAt?: number | null;
  undone?: ReadonlySet<string>;
};

/** The changes of subscriptions since the last sync, and their emails: of several syncs one writes each step and sends its email. */
export async function subscriptionEmails(
  app: Deps,
  account: Account,
  { stored, rows, isClosing, isWithdrawn, declaredAt, undone }: Synced,
  creditMinor: number,
  askedAt: number,
): Promise<{ statements: Statement[]; emailIds: EmailId[] }> {
  const statements: Statement[] = [];
  const emailIds: EmailId[] = [];
  for (const row of rows) {
    const before = stored.find(({ id }) => id === row.id);
    for (const step of before ? changesToEmail(before, row) : []) {
      // Another plan was bought in its place, or the account is closed with it, and the email is about that.
      if (
        step.kind === "ended" &&
        (isClosing || row.endCause === "duplicate" || rows.some(({ state }) => policies[state].keepsPlan))
      )
        continue;
      // The email about the failed payment says so.
      if (step.kind === "locked" && row.state === "unpaid" && row.pauseCause !== null) continue;
      // The email about its payment says so.
      if (step.kind === "cancelled" && undone?.has(row.id)) continue;
      const content = emailFor(app, account, step, { creditMinor, isWithdrawn, declaredAt });
      const email = await sealEmail(app, account.email, content, emailKeyOf(step));
      statements.push(writeStep(app.db, { id: row.id, ...step }, askedAt), addEmail(app.db, email, justChanged));
      emailIds.push(email.id);
    }
  }
  return { statements, emailIds };
}

type Duplicates = {
  stored: Subscription[];
  rows: Subscription[];
  kept: Subscription | null;
  superseded: ReadonlyMap<string, { creditBackMinor: number }>;
};

/**
 * One email for each plan that ended because a newer one runs, with what went back of it. It may never have been stored as running: two
 * payments were made at the same moment.
 */
export async function duplicateEmails(
  app: Deps,
  account: Account,
  { stored, rows, kept, superseded }: Duplicates,
  { charges }: Pick<Billing, "charges">,
): Promise<{ statements: Statement[]; emailIds: EmailId[] }> {
  const statements: Statement[] = [];
  const emailIds: EmailId[] = [];
  for (const row of rows.filter(({ endCause }) => endCause === "duplicate")) {
    if (stored.some(({ id, state }) => id === row.id && state === "ended")) continue;
    const refunds = charges.flatMap((charge) => charge.refunds.filter(({ restOf }) => restOf === row.id));
    const written = (amountMinor: number) =>
      amountMinor === 0 ? null : formatMoney({ amountMinor, currency: row.currency }, account.locale);
    const content: PlanEmail = {
      template: "plan-duplicate",
      what: whatIsSold(app.product, row.planId),
      kept: kept && whatIsSold(app.product, kept.planId),
      refunded: written(sumMinor(refunds)),
      credited: written(superseded.get(row.id)?.creditBackMinor ?? 0),
      owed: written(row.refundOwedMinor),
      url: app.origin + segmentPath(app.product, "plan"),
    };
    const email = await sealEmail(app, account.email, content, `${row.id}.ended`);
    statements.push(addEmail(app.db, email));
    emailIds.push(email.id);
  }
  return { statements, emailIds };
}

/** A debt locks a plan once and its payment unlocks it once, even with concurrent syncs; a plan ends once. The other steps can repeat. */
function emailKeyOf({ kind, before, after }: SubscriptionChange): string | undefined {
  if (kind === "ended") return `${after.id}.ended`;
  const since = { locked: after.pastDueSince, unlocked: before.pastDueSince };
  if (kind !== "locked" && kind !== "unlocked") return undefined;
  return since[kind] === null ? undefined : `${after.id}.${kind}.${since[kind]}`;
}

/** What a plan includes, as its card says. */
function pointsOf({ plans }: ProductConfig, planId: string | null): readonly string[] {
  return plans.find(({ id }) => id === planId)?.points ?? [];
}

/** The facts of a change from one plan or interval to another. */
function changing(product: ProductConfig, from: string | null, to: string | null, interval: Interval | null) {
  const [formerName, newName] = [whatIsSold(product, from), whatIsSold(product, to)];
  return { from: formerName, to: newName, isYearly: interval === "year", points: pointsOf(product, to) };
}

function emailFor(
  app: Deps,
  account: Account,
  { kind, before, after }: SubscriptionChange,
  {
    creditMinor,
    isWithdrawn = false,
    declaredAt,
  }: { creditMinor: number } & Pick<Synced, "isWithdrawn" | "declaredAt">,
): PlanEmail {
  const name = (planId: string | null) => whatIsSold(app.product, planId);
  const day = (at: number | null) => formatDay(at ?? after.periodEndsAt, account);
  const url = app.origin + segmentPath(app.product, "plan");
  const what = name(after.planId);
  const plan = { what, isWithdrawn, url };
  const dataUntil = (at: number | null) => lastDayOfData(app.product, at ?? after.periodEndsAt, account);
  const smaller = (at: number | null) => ({ lastDayOfData: dataUntil(at) });
  const charge = nextCharge(after, priceMinorOf.bind(null, app.product), creditMinor);
  const next = charge
    ? { amount: formatMoney(charge, account.locale), nextCharge: day(charge.at) }
    : { amount: null, nextCharge: "" };
  switch (kind) {
    case "cancelled":
      return {
        template: "plan-cancelled",
        ...plan,
        cancelled: formatMoment(declaredAt ?? app.clock(), account),
        until: day(after.cancelsAt),
        refundsRest: after.endsByNotice,
        meanwhile: policies[after.state].needsPayment ? "unpaid" : after.state === "paused" ? "paused" : "active",
        ...smaller(after.cancelsAt),
      };
    case "resumed":
      return { template: "cancellation-undone", ...plan, ...next };
    case "planned":
      return {
        template: "downgrade-planned",
        ...changing(app.product, after.planId, after.pendingPlanId, after.pendingInterval),
        url,
        ...smaller(after.pendingAt),
        changes: day(after.pendingAt),
      };
    case "changed":
      return {
        template: "plan-changed",
        ...changing(app.product, before.planId, after.planId, after.interval),
        url,
        ...smaller(app.clock()),
        isSmaller: rankOf(app.product, after.planId) < rankOf(app.product, before.planId),
        ...next,
      };
    case "locked":
      return after.state === "paused"
        ? { template: "plan-paused", what, cause: after.pauseCause ?? "system", url }
        : { template: "plan-locked", what, url };
    case "unlocked":
      return { template: "plan-unlocked", what, wasPaused: before.state === "paused", url };
    case "ended":
      return {
        template: "plan-ended",
        what,
        ended: day(after.endedAt),
        why: endedBecause({ before, after }),
        ...smaller(after.endedAt),
        url,
      };
  }
}
