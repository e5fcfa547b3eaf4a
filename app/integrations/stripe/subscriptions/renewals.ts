import { Stripe } from "stripe";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { readCancelsAt } from "#app/integrations/stripe/read-subscription.ts";
import { ms } from "#app/integrations/stripe/fields.ts";

type DiscountedCustomer = Pick<Stripe.Customer, "discount"> | Stripe.DeletedCustomer;
type Plan = Pick<
  Stripe.Subscription,
  "status" | "discounts" | "pause_collection" | "cancel_at" | "cancel_at_period_end" | "start_date"
> & { items: { data: Pick<Stripe.SubscriptionItem, "discounts" | "current_period_end">[] } };

/**
 * The amount of the next renewal where a discount makes it differ from the price, by subscription: the team gives discounts in the
 * dashboard, to a subscription, one of its items or the customer. Only Stripe can calculate how long each applies and what remains, so it
 * is requested once per subscription with a discount, never for any other.
 */
export async function fetchRenewals(
  connection: Connection,
  subscriptions: Stripe.Subscription[],
  customer: DiscountedCustomer,
): Promise<Map<string, number>> {
  const discounted = subscriptions.filter((each) => isRenewedAtDiscount(each, customer));
  const found = await Promise.all(discounted.map(({ id }) => previewRenewal(connection, id)));
  return new Map(discounted.flatMap(({ id }, index) => (found[index] == null ? [] : [[id, found[index]] as const])));
}

/** Whether the plan renews, and has a discount on it, on an item or on the customer that has to be previewed. */
export function isRenewedAtDiscount(plan: Plan, customer: DiscountedCustomer): boolean {
  const isOwn = plan.discounts.length > 0 || plan.items.data.some((item) => item.discounts.length > 0);
  const isDiscounted = isOwn || ("discount" in customer && Boolean(customer.discount));
  return isDiscounted && renews(plan);
}

const renewingStatuses: Stripe.Subscription.Status[] = ["active", "trialing", "past_due"];

function renews(plan: Plan): boolean {
  const endsAt = readCancelsAt(plan);
  const isLast = endsAt !== null && plan.items.data.every((item) => endsAt <= ms(item.current_period_end));
  return renewingStatuses.includes(plan.status) && plan.pause_collection === null && !isLast;
}

/** The amount before the balance. Null if Stripe doesn't say: a sync doesn't fail for an amount that is only shown. */
async function previewRenewal({ stripe, within }: Connection, subscription: string): Promise<number | null> {
  try {
    return (await stripe.invoices.createPreview({ subscription }, within())).total;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
    throw error;
  }
}
