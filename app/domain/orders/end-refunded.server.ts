import type { App, Billing } from "#app/context.ts";
import { done, type Result } from "#app/domain/kernel/result.ts";
import type { ProviderTrouble } from "#app/domain/plans/provider.rules.ts";
import { hasLost } from "./follow-orders.server.ts";

/** Ends subscriptions whose running period nobody has paid for any more: all of its money was refunded, or lost in a dispute. */
export async function endRefunded(
  payments: NonNullable<App["payments"]>,
  billing: Billing,
): Promise<Result<null, ProviderTrouble>> {
  for (const subscription of billing.subscriptions) {
    if (subscription.endedAt !== null || !isRefunded(subscription, billing)) continue;
    const ended = await payments.endSubscription(subscription.id);
    if (!ended.ok) return ended;
    subscription.status = "canceled";
    subscription.endedAt = ended.value;
  }
  return done(null);
}

/** A period is paid by the invoice that began it and by those for changes since: they all end with it. */
function isRefunded({ id, periodEndsAt }: Billing["subscriptions"][number], billing: Billing): boolean {
  const paid = billing.invoices.filter(
    (invoice) =>
      invoice.subscriptionId === id &&
      invoice.state === "paid" &&
      invoice.amountMinor > 0 &&
      invoice.lines.some((line) => line.periodEndsAt === periodEndsAt),
  );
  return paid.length > 0 && paid.every((invoice) => hasLost(invoice, billing));
}
