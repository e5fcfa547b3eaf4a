import { href } from "react-router";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { intervalFor, isOffered, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import type { Subscription } from "#app/modules/subscriptions/rules.ts";
import { withdrawalEndsAt } from "#app/modules/withdrawals/withdrawals.rules.ts";

/** The order that can still be withdrawn from the longest, and until when. */
export function moneyBackOf(product: ProductConfig, orders: readonly Order[], now: number) {
  const open = orders.flatMap((order) => {
    const until = withdrawalEndsAt(order, product);
    return until !== null && until > now && order.refundedMinor === 0 ? [{ orderId: order.id, until }] : [];
  });
  return open.toSorted((left, right) => right.until - left.until)[0] ?? null;
}

/** The plan that ended, to start it again; null: it isn't sold any more. */
export function againOf(product: ProductConfig, { planId, interval }: Pick<Subscription, "planId" | "interval">) {
  const plan = planInForce(product, planId);
  if (!plan || !isOffered(plan) || plan.prices === null) return null;
  const choice = new URLSearchParams({ plan: planId, interval: intervalFor(plan, interval) });
  return { name: planName(product, planId), to: `${href("/settings/upgrade")}?${choice}` };
}
