import type { SubscriptionId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { readCancelsAt } from "#app/integrations/stripe/read-subscription.ts";
import { releaseChange } from "./schedules.ts";

/**
 * Makes a subscription end with its period, or renew again. Returns when it ends according to Stripe, which may differ from the request.
 * Dashboard and portal cancel subscriptions in flexible billing mode by a date and leave the flag false, so clearing the flag alone reverts
 * nothing. Both in one update are refused: https://docs.stripe.com/api/subscriptions/update#update_subscription-cancel_at
 */
export async function writeCancellation(
  connection: Connection,
  id: SubscriptionId,
  cancels: boolean,
): Promise<number | null> {
  const { stripe, within } = connection;
  // While a schedule exists, cancelling is refused: also one whose change has already taken effect, or one that itself ends the plan.
  if (cancels) {
    await releaseChange(connection, id);
    return readCancelsAt(await stripe.subscriptions.update(id, { cancel_at_period_end: true }, within()));
  }
  const found = await stripe.subscriptions.retrieve(id, {}, within());
  if (readCancelsAt(found) === null) return null;
  if (found.schedule) await releaseChange(connection, id);
  const renewed = await renew(connection, found);
  return readCancelsAt(readCancelsAt(renewed) === null ? renewed : await renew(connection, renewed));
}

function renew({ stripe, within }: Connection, { id, cancel_at_period_end: hasFlag }: Stripe.Subscription) {
  return stripe.subscriptions.update(id, hasFlag ? { cancel_at_period_end: false } : { cancel_at: "" }, within());
}
