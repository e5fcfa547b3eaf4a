import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { holdToChange, isPausedByDispute } from "#app/modules/billing/subscriptions/dispute-hold.rules.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { chargesOf } from "./match-orders.server.ts";

/**
 * Stops charging plans of which a payment is disputed, if the config says so, and charges them again once no dispute is open. Returns the
 * plans that are paused, by their ids.
 */
export async function holdDisputedPlans(
  { product, payments }: Pick<App, "product"> & { payments: NonNullable<App["payments"]> },
  billing: Billing,
): Promise<Result<ReadonlySet<string>, ProviderFailure>> {
  const paused = new Set<string>();
  for (const subscription of billing.subscriptions) {
    const invoices = billing.invoices.filter(({ subscriptionId }) => subscriptionId === subscription.id);
    const charges = invoices.flatMap((invoice) => chargesOf({ invoice }, billing));
    const isPaused = isPausedByDispute(product, subscription.status, charges);
    if (isPaused) paused.add(subscription.id);
    const change = holdToChange(isPaused, subscription);
    // Stripe changes nothing of a plan that has ended.
    if (change === null || subscription.endedAt !== null) continue;
    const changed = await payments.changeDisputeHold(subscription.id, change === "hold");
    if (!changed.ok) return changed;
    subscription.isHeldForDispute = change === "hold";
    subscription.collection = change === "hold" ? "on-hold" : "automatic";
  }
  return done(paused);
}
