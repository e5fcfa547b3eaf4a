import type { App, Billing, Statement } from "#app/context.ts";
import type { Account } from "#app/domain/accounts/rules.ts";
import { done, type Result } from "#app/domain/kernel/result.ts";
import { findPlan } from "#app/domain/product/rules.ts";
import type { ProviderTrouble } from "./change-cancellation.server.ts";
import { policies, stateOf, type Subscription } from "./rules.ts";
import { stepsOf } from "./plan-letters.server.ts";
import { changeSubscription } from "./store.server.ts";

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "origin" | "product" | "report">;
type Fetched = Billing["subscriptions"][number];

/**
 * A first payment that failed after the checkout was complete (a bank debit) leaves a subscription at the provider that
 * would go on asking for money. It is ended, so that the next try can't make a second one.
 */
export async function endStillborn(
  payments: NonNullable<App["payments"]>,
  billing: Billing,
): Promise<Result<null, ProviderTrouble>> {
  for (const subscription of billing.subscriptions) {
    const invoices = billing.invoices.filter((invoice) => invoice.subscriptionId === subscription.id);
    if (subscription.status !== "past_due" || invoices.some((invoice) => invoice.state === "paid")) continue;
    const ended = await payments.endSubscription(subscription.id);
    if (!ended.ok) return ended;
    subscription.status = "canceled";
    subscription.endedAt ??= subscription.startedAt;
  }
  return done(null);
}

/** The provider's subscriptions as rows, ended ones first (the table allows one running at a time), and what mails tell of it. */
export async function followSubscriptions(
  app: Powers,
  account: Account,
  { stored, withheld }: { stored: Subscription[]; withheld: (string | null)[] },
  billing: Billing,
  askedAt: number,
): Promise<{ statements: Statement[]; mailIds: string[] }> {
  const rows = billing.subscriptions
    .filter(({ id }) => !withheld.includes(id))
    .flatMap((fetched) => rowOf(app, fetched, stored.find(({ id }) => id === fetched.id) ?? null, billing));
  const running = rows.filter((row) => policies[row.state].keepsPlan);
  if (running.length > 1) throw new Error(`Account ${account.id} has ${running.length} running subscriptions`);
  const ended = rows.filter((row) => !policies[row.state].keepsPlan);
  const told = await stepsOf(app, account, { stored, rows: [...ended, ...running] }, billing.creditMinor, askedAt);
  const whole = [...ended, ...running].map((row) => changeSubscription(app.db, account.id, row, askedAt));
  return { statements: [...told.statements, ...whole], mailIds: told.mailIds };
}

function rowOf(app: Powers, fetched: Fetched, before: Subscription | null, billing: Billing): Subscription[] {
  const { sold } = fetched;
  if (!sold || !findPlan(app.product, sold.planId)) {
    app.report(new Error(`Subscription ${fetched.id} has a price that the catalogue doesn't know`));
    return [];
  }
  const invoices = billing.invoices.filter((invoice) => invoice.subscriptionId === fetched.id);
  // With a bank debit the provider says "active" days before the money is there: nothing paid yet is nothing granted.
  const hasPaid = invoices.some((invoice) => invoice.state === "paid");
  const hasEnded = fetched.status === "canceled" || fetched.status === "incomplete_expired";
  const status = hasPaid || hasEnded ? fetched.status : "incomplete";
  const unpaid = invoices.filter((invoice) => invoice.state === "open").map((invoice) => invoice.createdAt);
  const isPastDue = status === "past_due" || status === "unpaid";
  const pastDueSince = isPastDue ? Math.min(...unpaid, before?.pastDueSince ?? Infinity, fetched.periodEndsAt) : null;
  const planned = hasEnded ? undefined : billing.plannedChanges.find((change) => change.subscriptionId === fetched.id);
  return [
    {
      id: fetched.id,
      state: stateOf(status, pastDueSince, clockFor(app, before, pastDueSince)),
      planId: sold.planId,
      interval: sold.interval,
      amountMinor: fetched.amountMinor,
      currency: fetched.currency,
      cardBrand: fetched.card?.brand ?? null,
      cardLast4: fetched.card?.last4 ?? null,
      cardExpires: fetched.card?.expires ?? null,
      pendingPlanId: planned?.planId ?? null,
      pendingInterval: planned?.interval ?? null,
      pendingAt: planned?.startsAt ?? null,
      startedAt: fetched.startedAt,
      periodEndsAt: fetched.periodEndsAt,
      cancelsAt: fetched.cancelsAt,
      pastDueSince,
      endedAt: fetched.endedAt,
    },
  ];
}

/** What was locked stays locked until it is paid, whatever clock the sync runs by. */
function clockFor(app: Powers, before: Subscription | null, pastDueSince: number | null): number {
  const isLocked = before?.state === "past-due-locked" && before.pastDueSince === pastDueSince;
  return isLocked ? Infinity : app.clock();
}
