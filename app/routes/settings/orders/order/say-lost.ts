import type { App } from "#app/app.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { needsNewCheckout, runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { formatDay, type Reader, dayMs } from "#app/core/time/time.ts";
import { againOf } from "../../plan/texts/plan-ahead.ts";
import { planAheadMessages } from "../../plan/messages.ts";
import type { OrderLine } from "#app/modules/billing/history/reads/show-order.server.ts";
import { explanationMessages } from "./messages.ts";

/** For a renewal whose plan ended because it wasn't paid: what happened, and where to buy the plan again. Null for any other order. */
export function sayLost(
  { product, gate }: Pick<App, "product" | "gate">,
  reader: Reader,
  { kind, state, createdAt }: Pick<Order, "kind" | "state" | "createdAt">,
  subscriptions: Subscription[],
) {
  if (kind !== "renewal" || state !== "cancelled") return null;
  const plan = subscriptions.find(
    ({ endCause, startedAt, endedAt }) =>
      endCause === "payment-failed" && startedAt <= createdAt && createdAt <= (endedAt ?? 0),
  );
  if (!plan?.endedAt) return null;
  const { lost, ended } = planAheadMessages.en;
  return {
    title: lost.title,
    text: ended.unpaid(planName(product, plan.planId), formatDay(plan.endedAt, reader)),
    again: needsNewCheckout(runningSubscription(subscriptions)) ? againOf({ product, gate }, plan) : null,
  };
}

/** For an order whose plan ended because a newer one ran: why money came back. Null for any other order. */
export function sayDuplicate(
  { product }: Pick<App, "product">,
  reader: Reader,
  {
    planId,
    paidAt,
    refundedMinor,
    creditReturnedMinor,
  }: Pick<Order, "planId" | "paidAt" | "refundedMinor" | "creditReturnedMinor">,
  subscriptions: Subscription[],
): string | null {
  if (paidAt === null || refundedMinor + creditReturnedMinor === 0) return null;
  const plan = subscriptions.find(
    (each) =>
      each.endCause === "duplicate" &&
      each.planId === planId &&
      each.startedAt <= paidAt &&
      paidAt <= (each.endedAt ?? 0),
  );
  if (!plan?.endedAt) return null;
  const { lost, ended } = planAheadMessages.en;
  return `${ended.duplicate(planName(product, planId), formatDay(plan.endedAt, reader))} ${lost.unusedReturned}`;
}

/** For a first payment that arrived a day or more after its period began: says when both happened. Null otherwise. */
export function sayLateStart(
  { kind, paidAt }: Pick<Order, "kind" | "paidAt">,
  lines: readonly OrderLine[],
  reader: Reader,
): string | null {
  const startsAt = lines[0]?.periodStartsAt ?? null;
  const isLate = kind === "new-plan" && paidAt !== null && startsAt !== null && paidAt - startsAt >= dayMs;
  return isLate ? explanationMessages.en.lateStart(formatDay(startsAt, reader), formatDay(paidAt, reader)) : null;
}
