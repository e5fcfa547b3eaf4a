import { isSubscriptionEnded, isSubscriptionOverdue } from "#app/core/stripe/states.ts";
import type { EmailId } from "#app/core/id.ts";
import type { App, Base, Billing, Outbox, Secrets, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, type Result } from "#app/core/result.ts";
import { findPlan } from "#app/modules/catalogue/rules.ts";
import type { ProviderFailure } from "../provider.rules.ts";
import { isGraceSpent, policies, runningSubscription, stateOf, type Subscription } from "../rules.ts";
import { duplicateEmails, subscriptionEmails } from "../subscription-emails.server.ts";
import { changeSubscription } from "../queries.server.ts";

type Deps = Base & Site & Secrets & Outbox;
type Fetched = Billing["subscriptions"][number];

/**
 * A first payment that failed after the checkout was complete (a bank debit) leaves a subscription at Stripe that would keep asking for
 * payment. It is ended, so that the next attempt can't create a second one. Subscriptions created in Stripe's dashboard are left alone.
 */
export async function endNeverPaid(
  payments: NonNullable<App["payments"]>,
  billing: Billing,
): Promise<Result<null, ProviderFailure>> {
  for (const subscription of billing.subscriptions) {
    const invoices = billing.invoices.filter((invoice) => invoice.subscriptionId === subscription.id);
    const isDue = isSubscriptionOverdue(subscription.status);
    if (!isDue || subscription.orderId === null || invoices.some((invoice) => invoice.state === "paid")) continue;
    const ended = await payments.endSubscription(subscription.id);
    if (!ended.ok) return ended;
    subscription.status = "canceled";
    subscription.endedAt = ended.value;
  }
  return done(null);
}

/**
 * A paused plan ends once the plan bought in its place is paid; until then it stays. What is still open for it is void. It ends at Stripe
 * first, so that two plans never run; if the sync is killed in between, the next one finds it ended.
 */
export async function endReplaced(
  payments: NonNullable<App["payments"]>,
  billing: Billing,
): Promise<Result<null, ProviderFailure>> {
  const { subscriptions, invoices } = billing;
  const isPaid = (id: string) =>
    invoices.some(({ subscriptionId, state }) => subscriptionId === id && state === "paid");
  const bought = subscriptions.find(({ id, orderId, status }) => orderId !== null && status === "active" && isPaid(id));
  if (!bought) return done(null);
  for (const subscription of subscriptions.filter(({ status }) => status === "paused")) {
    const ended = await payments.endUnpaid(subscription.id);
    if (!ended.ok) return ended;
    markEnded(billing, subscription, ended.value);
  }
  return done(null);
}

/** As Stripe would say if it were asked again after `endUnpaid`. */
export function markEnded(billing: Billing, subscription: Fetched, endedAt: number): void {
  subscription.status = "canceled";
  subscription.endedAt = endedAt;
  subscription.pauseCause = null;
  for (const invoice of billing.invoices) {
    const tries = billing.payments.filter(({ id }) => invoice.paymentIds.includes(id));
    const isGivenUp = invoice.state === "open" && !tries.some(({ state }) => state === "processing");
    if (invoice.subscriptionId === subscription.id && isGivenUp) invoice.state = "void";
  }
}

/**
 * Stripe's subscriptions as rows, ended ones first (the table allows one running at a time), and the emails about what changed. If two still
 * run, because Stripe has just begun one that the next sync settles, the one that is stored stays.
 */
export async function reconcileSubscriptions(
  app: Deps,
  account: Account,
  {
    stored,
    isClosing,
    paused,
    undone,
    superseded,
  }: {
    stored: Subscription[];
    isClosing: boolean;
    /** The subscriptions that the site pauses because of a dispute. */
    paused: ReadonlySet<string>;
    /** Those that the site cancelled, since their payment wasn't what was asked for. */
    undone: ReadonlySet<string>;
    /** Of plans that ended because a newer one ran: refunds that Stripe refused, and the credit that goes back. */
    superseded: ReadonlyMap<string, { refundOwedMinor: number; creditBackMinor: number }>;
  },
  billing: Billing,
  askedAt: number,
): Promise<{ statements: Statement[]; emailIds: EmailId[] }> {
  const rows = [
    ...billing.subscriptions.flatMap((each) =>
      pausedIf(
        paused.has(each.id),
        each,
        rowOf(app, each, stored.find(({ id }) => id === each.id) ?? null, billing),
      ).map((row) => ({ ...row, refundOwedMinor: superseded.get(each.id)?.refundOwedMinor ?? 0 })),
    ),
    ...(billing.isDeleted ? endedWithCustomer(app, stored, billing) : []),
  ];
  const all = rows.filter((row) => policies[row.state].keepsPlan);
  const known = runningSubscription(stored);
  const running = all.length > 1 ? all.filter(({ id }) => id === (known ?? all[0])?.id) : all;
  if (all.length > 1) app.report(new Error(`Account ${account.id} has ${all.length} running subscriptions`));
  const ended = rows.filter((row) => !policies[row.state].keepsPlan);
  const steps = await subscriptionEmails(
    app,
    account,
    { stored, rows: [...ended, ...running], isClosing, undone },
    billing.creditMinor,
    askedAt,
  );
  const rowStatements = [...ended, ...running].map((row) => changeSubscription(app.db, account.id, row, askedAt));
  const duplicates = await duplicateEmails(
    app,
    account,
    { stored, rows: ended, kept: running[0] ?? null, superseded },
    billing,
  );
  return {
    statements: [...steps.statements, ...rowStatements, ...duplicates.statements],
    emailIds: [...steps.emailIds, ...duplicates.emailIds],
  };
}

/** While a bank decides, a plan that would be active is locked and not charged. The site's own hold isn't the team's. */
function pausedIf(isPaused: boolean, { isHeldForDispute }: Fetched, rows: Subscription[]): Subscription[] {
  return rows.map((row) => {
    const collection = isHeldForDispute ? "automatic" : row.collection;
    if (!isPaused || row.state !== "active") return { ...row, collection };
    return { ...row, collection, state: "paused", pauseCause: "disputed" };
  });
}

/** Subscriptions ended with a customer deleted at Stripe; Stripe may not list them any more. */
function endedWithCustomer(app: Deps, stored: Subscription[], billing: Billing): Subscription[] {
  return stored
    .filter((row) => row.state !== "ended" && !billing.subscriptions.some(({ id }) => id === row.id))
    .map((row) => ({ ...row, state: "ended", endedAt: app.clock() }));
}

function rowOf(app: Deps, fetched: Fetched, before: Subscription | null, billing: Billing): Subscription[] {
  // Subscribers keep a plan that was removed from the catalogue, under its own name.
  const sold = fetched.sold ?? before;
  if (!sold || (!before && !findPlan(app.product, sold.planId))) {
    const error = new Error(`Subscription ${fetched.id} has a price that the catalogue doesn't know`);
    if (!isSubscriptionEnded(fetched.status)) app.report(error);
    return [];
  }
  const invoices = billing.invoices.filter((invoice) => invoice.subscriptionId === fetched.id);
  // With a bank debit Stripe says "active" days before the payment succeeds: unpaid means no access.
  const hasPaid = invoices.some((invoice) => invoice.state === "paid");
  const status = hasPaid || isSubscriptionEnded(fetched.status) ? fetched.status : "incomplete";
  const unpaid = invoices.filter((invoice) => invoice.state === "open").map((invoice) => invoice.createdAt);
  const isPastDue = isSubscriptionOverdue(status);
  // A debt that was paid meanwhile doesn't count.
  const dueSince = unpaid.length > 0 ? Math.min(...unpaid) : (before?.pastDueSince ?? fetched.periodStartsAt);
  const pastDueSince = isPastDue ? dueSince : null;
  // Invoices of any plan count, since another purchase doesn't cancel the earlier plan's debt.
  const hasNoGrace = pastDueSince !== null && isGraceSpent(billing.invoices, pastDueSince);
  const coming = invoices.find(({ state, goesOutAt }) => state === "draft" && goesOutAt !== null);
  // A deleted customer has no card to charge or show.
  const method = billing.isDeleted ? null : fetched.method;
  const planned = isSubscriptionEnded(fetched.status)
    ? undefined
    : billing.scheduledChanges.find((change) => change.subscriptionId === fetched.id);
  return [
    {
      id: fetched.id,
      state: stateOf(status, pastDueSince, clockFor(app, before, pastDueSince), hasNoGrace),
      planId: sold.planId,
      interval: sold.interval,
      amountMinor: fetched.amountMinor,
      currency: fetched.currency,
      cardBrand: method?.brand ?? null,
      cardLast4: method?.last4 ?? null,
      cardExpires: method?.expires ?? null,
      pendingPlanId: planned?.planId ?? null,
      pendingInterval: planned?.interval ?? null,
      pendingAt: planned?.startsAt ?? null,
      pendingMinor: planned?.amountMinor ?? null,
      startedAt: fetched.startedAt,
      periodEndsAt: fetched.periodEndsAt,
      cancelsAt: fetched.cancelsAt,
      endsByNotice: fetched.endsByNotice,
      pastDueSince,
      endedAt: fetched.endedAt,
      collection: fetched.collection,
      comingMinor: coming?.totalMinor ?? null,
      comingAt: coming?.goesOutAt ?? null,
      renewalMinor: fetched.renewalMinor,
      trialEndsAt: fetched.trialEndsAt,
      pauseCause: fetched.pauseCause,
      endCause: fetched.endCause,
      refundOwedMinor: 0,
    },
  ];
}

/** A locked plan stays locked until it is paid, even if the sync's clock was turned back. */
function clockFor(app: Deps, before: Subscription | null, pastDueSince: number | null): number {
  const isLocked = before?.state === "past-due-locked" && before.pastDueSince === pastDueSince;
  return isLocked ? Infinity : app.clock();
}
