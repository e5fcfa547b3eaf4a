import type { MarkedOrder, Order } from "#app/modules/billing/orders/rules.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";

export type ShownOrder = ReturnType<typeof pickOrder>;

// oxfmt-ignore
export function pickOrder(order: Order) {
  return pick(
    order, "id", "kind", "planId", "state", "dispute", "isUnconfirmed", "currency", "amountMinor", "creditMinor", "numberYear",
    "numberInYear", "createdAt", "paidAt",
  );
}

/** With what its state in a list depends on. */
export function pickListedOrder(order: MarkedOrder) {
  return { ...pickOrder(order), ...pick(order, "refundedMinor", "lostMinor", "isWithdrawn") };
}

// oxfmt-ignore
export function pickSubscription(subscription: Subscription) {
  return pick(
    subscription, "state", "planId", "interval", "currency", "amountMinor", "cancelsAt", "pendingPlanId", "pendingInterval",
    "pendingAt", "collection", "cardBrand", "cardLast4", "cardExpires",
  );
}

export function pickPlan(plan: { id: string; name: string; nameInText: string }) {
  return pick(plan, "id", "name", "nameInText");
}

/** Only these properties: a page sends the browser what its components need of a row, and not the rest. */
function pick<Value extends object, Key extends keyof Value>(
  value: Value,
  ...keys: readonly Key[]
): { [Kept in Key]: Value[Kept] } {
  // `Object.fromEntries` forgets the names.
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as { [Kept in Key]: Value[Kept] };
}
