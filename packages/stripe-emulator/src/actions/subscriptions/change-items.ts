import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand, refer } from "../../objects/demand.ts";
import { newItem, planOf } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid, missingParameter, missingReference } from "../../http/stripe-errors.ts";

export interface ItemInput {
  id: string | undefined;
  price: string | undefined;
  quantity: number | undefined;
  isDeleted: boolean;
  /** Validated earlier, by a schedule: the price may have been archived since. */
  isSettled?: boolean;
}

/**
 * The items after a change. As at Stripe, an item named by its id changes, and one without an id is added beside it: a caller
 * that leaves the id out has sold two plans.
 */
export function changedItems(
  tx: Transaction,
  subscription: Stripe.Subscription,
  inputs: ItemInput[],
  param: string,
): Stripe.SubscriptionItem[] {
  const wanted = inputs.map((input, index) => ({ ...input, path: `${param}[${index}]` }));
  for (const { id, path } of wanted) {
    if (id !== undefined && !subscription.items.data.some((item) => item.id === id))
      throw missingReference("subscription item", id, `${path}[id]`);
  }
  const remaining = subscription.items.data.flatMap((item) => {
    const input = wanted.find(({ id }) => id === item.id);
    if (input === undefined) return [item];
    return input.isDeleted ? [] : [changedItem(tx, subscription, item, input, input.path)];
  });
  const added = wanted.filter(({ id }) => id === undefined);
  const items = [...remaining, ...added.map((input) => addedItem(tx, subscription, input, input.path))];
  requireOneInterval(items, param);
  return items;
}

function changedItem(
  tx: Transaction,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  input: ItemInput,
  path: string,
): Stripe.SubscriptionItem {
  if (input.price === undefined) return { ...item, quantity: input.quantity ?? item.quantity ?? 1 };
  const price = sellablePrice(
    tx,
    subscription,
    input.price,
    `${path}[price]`,
    unchangedPriceIdOf(input) ?? item.price.id,
  );
  const quantity = input.quantity ?? (price.id === item.price.id ? (item.quantity ?? 1) : 1);
  return { ...item, price, plan: planOf(price), quantity };
}

function addedItem(
  tx: Transaction,
  subscription: Stripe.Subscription,
  input: ItemInput,
  path: string,
): Stripe.SubscriptionItem {
  if (input.price === undefined) throw missingParameter(`${path}[price]`);
  const price = sellablePrice(tx, subscription, input.price, `${path}[price]`, unchangedPriceIdOf(input));
  if (subscription.items.data.some((item) => item.price.id === price.id))
    throw invalid(`Cannot add multiple subscription items with the same plan: ${price.id}`, {
      param: `${path}[price]`,
    });
  const [first] = subscription.items.data;
  const now = tx.clock.now();
  return {
    ...newItem(subscription.id, now, price, input.quantity ?? 1),
    current_period_start: first?.current_period_start ?? now,
    current_period_end: first?.current_period_end ?? now,
  };
}

const unchangedPriceIdOf = (input: ItemInput): string | null =>
  input.isSettled === true ? (input.price ?? null) : null;

/** A price that can be sold. An archived one may stay on an item that already has it. */
export function sellablePrice(
  tx: Transaction,
  subscription: { currency: string },
  id: string,
  param: string,
  unchangedPriceId: string | null,
): Stripe.Price {
  const price = refer(tx, "price", id, param);
  if (!price.active && price.id !== unchangedPriceId)
    throw invalid("The price specified is inactive. This field only accepts active prices.", { param });
  if (price.recurring === null)
    throw invalid(
      "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.",
      { param },
    );
  if (price.currency !== subscription.currency)
    throw invalid(
      `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`,
      { param },
    );
  return price;
}

/** Stripe's flexible billing mode would accept several. */
function requireOneInterval(items: Stripe.SubscriptionItem[], param: string): void {
  const [first] = items;
  if (first === undefined) throw invalid("A subscription must have at least one active plan.", { param });
  if (items.some((item) => !isSameInterval(item.price, first.price)))
    throw invalid("Currency and interval fields must match across all plans on this subscription.", { param });
}

export const isSameInterval = (one: Stripe.Price, other: Stripe.Price): boolean =>
  one.recurring?.interval === other.recurring?.interval &&
  one.recurring?.interval_count === other.recurring?.interval_count;

/** A saved payment method of this customer, as a parameter names it. */
export function ownMethod(tx: Transaction, customer: string, id: string, param: string): Stripe.PaymentMethod {
  const method = tx.store.find("payment_method", id);
  if (method?.customer === customer) return method;
  demand(tx, "customer", customer);
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: "resource_missing", param },
  );
}
