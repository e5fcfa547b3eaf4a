import type { App, Billing, Statement } from "#app/context.ts";
import { done, type Result } from "#app/domain/kernel/result.ts";
import { findPlan } from "#app/domain/product/rules.ts";
import type { ProviderTrouble } from "./change-cancellation.server.ts";
import { policies, stateOf, type Subscription } from "./rules.ts";
import { changeSubscription } from "./store.server.ts";

type Powers = Pick<App, "db" | "product" | "report">;

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
    if (subscription.status !== "past_due" || invoices.some((invoice) => invoice.isPaid)) continue;
    const ended = await payments.endSubscription(subscription.id);
    if (!ended.ok) return ended;
    subscription.status = "canceled";
    subscription.endedAt ??= subscription.startedAt;
  }
  return done(null);
}

/** The provider's subscriptions as rows, ended ones first: the table allows one running at a time. */
export function subscriptionStatements(
  app: Powers,
  accountId: string,
  { stored, withheld }: { stored: Subscription[]; withheld: (string | null)[] },
  billing: Billing,
  askedAt: number,
): Statement[] {
  const rows = billing.subscriptions.flatMap((fetched): Subscription[] => {
    if (withheld.includes(fetched.id)) return [];
    const { sold } = fetched;
    if (!sold || !findPlan(app.product, sold.planId)) {
      app.report(new Error(`Subscription ${fetched.id} has a price that the catalogue doesn't know`));
      return [];
    }
    // With a bank debit the provider says "active" days before the money is there: nothing paid yet is nothing granted.
    const hasPaid = billing.invoices.some((invoice) => invoice.isPaid && invoice.subscriptionId === fetched.id);
    const hasEnded = fetched.status === "canceled" || fetched.status === "incomplete_expired";
    const status = hasPaid || hasEnded ? fetched.status : "incomplete";
    const since = stored.find((row) => row.id === fetched.id)?.pastDueSince ?? askedAt;
    const pastDueSince = status === "past_due" || status === "unpaid" ? since : null;
    return [
      {
        id: fetched.id,
        state: stateOf(status, pastDueSince, askedAt),
        planId: sold.planId,
        interval: sold.interval,
        amountMinor: fetched.amountMinor,
        currency: fetched.currency,
        cardBrand: fetched.card?.brand ?? null,
        cardLast4: fetched.card?.last4 ?? null,
        cardExpires: fetched.card?.expires ?? null,
        startedAt: fetched.startedAt,
        periodEndsAt: fetched.periodEndsAt,
        cancelsAt: fetched.cancelsAt,
        pastDueSince,
        endedAt: fetched.endedAt,
      },
    ];
  });
  const running = rows.filter((row) => policies[row.state].keepsPlan);
  if (running.length > 1) throw new Error(`Account ${accountId} has ${running.length} running subscriptions`);
  const ended = rows.filter((row) => !policies[row.state].keepsPlan);
  return [...ended, ...running].map((row) => changeSubscription(app.db, accountId, row, askedAt));
}
