import type { SubscriptionId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { readCancelsAt } from "#app/integrations/stripe/read-subscription.ts";
import { secondMs } from "#app/core/time/time.ts";
import { releaseChange } from "./schedules.ts";

/** Whether it ends: with its period, or with notice at a given time. */
export type Cancels = boolean | { endsAt: number };

/**
 * Makes a subscription end with its period, or renew again. Returns when it ends according to Stripe, which may differ from the request.
 * Dashboard and portal cancel subscriptions in flexible billing mode by a date and leave the flag false, so clearing the flag alone reverts
 * nothing. Both in one update are refused: https://docs.stripe.com/api/subscriptions/update#update_subscription-cancel_at
 */
export async function writeCancellation(
  connection: Connection,
  id: SubscriptionId,
  cancels: Cancels,
): Promise<number | null> {
  const { stripe, within } = connection;
  // While a schedule exists, cancelling is refused: also one whose change has already taken effect, or one that itself ends the plan.
  if (cancels !== false) {
    await releaseChange(connection, id);
    if (cancels !== true) {
      // What is left of the period is refunded by us once it has ended (reconcile-contracts), not credited by Stripe.
      const cancel_at = cancels.endsAt / secondMs;
      const end = { cancel_at, proration_behavior: "none", metadata: { notice: String(cancel_at) } } as const;
      return readCancelsAt(await stripe.subscriptions.update(id, end, within()));
    }
    return readCancelsAt(await stripe.subscriptions.update(id, { cancel_at_period_end: true }, within()));
  }
  const found = await stripe.subscriptions.retrieve(id, {}, within());
  if (readCancelsAt(found) === null) return null;
  if (found.schedule) await releaseChange(connection, id);
  const renewed = await renew(connection, found);
  return readCancelsAt(readCancelsAt(renewed) === null ? renewed : await renew(connection, renewed));
}

function renew({ stripe, within }: Connection, { id, cancel_at_period_end: hasFlag, metadata }: Stripe.Subscription) {
  const end = hasFlag ? { cancel_at_period_end: false } : ({ cancel_at: "" } as const);
  return stripe.subscriptions.update(id, { ...end, ...(metadata["notice"] && { metadata: { notice: "" } }) }, within());
}
