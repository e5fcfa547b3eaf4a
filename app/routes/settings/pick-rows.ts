import type { Order } from "#app/modules/orders/rules.ts";
import type { Subscription } from "#app/modules/subscriptions/rules.ts";

// What the pages' components need of each row: the rest isn't sent to the browser.

export type ShownOrder = ReturnType<typeof pickOrder>;

export function pickOrder(order: Order) {
  const { id, kind, planId, state, dispute, isUnconfirmed, currency, amountMinor, creditMinor } = order;
  const { numberYear, numberInYear, createdAt, paidAt } = order;
  return {
    id,
    kind,
    planId,
    state,
    dispute,
    isUnconfirmed,
    currency,
    amountMinor,
    creditMinor,
    numberYear,
    numberInYear,
    createdAt,
    paidAt,
  };
}

export function pickSubscription(subscription: Subscription) {
  const {
    state,
    planId,
    interval,
    currency,
    amountMinor,
    cancelsAt,
    pendingPlanId,
    pendingInterval,
    pendingAt,
    collection,
  } = subscription;
  const { cardBrand, cardLast4, cardExpires } = subscription;
  return {
    state,
    planId,
    interval,
    currency,
    amountMinor,
    cancelsAt,
    pendingPlanId,
    pendingInterval,
    pendingAt,
    collection,
    cardBrand,
    cardLast4,
    cardExpires,
  };
}

export function pickPlan({ id, name, nameInText }: { id: string; name: string; nameInText: string }) {
  return { id, name, nameInText };
}
