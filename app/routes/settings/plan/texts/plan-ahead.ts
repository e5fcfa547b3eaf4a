import { reviewPath } from "#app/core/page-paths.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, type Reader } from "#app/core/time/time.ts";
import type { App } from "#app/app.ts";
import { gateGuards } from "#app/modules/catalogue/gate.rules.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { intervalFor, isOffered, type ProductConfig, priceMinorOf } from "#app/modules/catalogue/rules.ts";
import type { MarkedOrder, Order } from "#app/modules/billing/orders/rules.ts";
import { isMoneyGone } from "#app/modules/billing/orders/states.rules.ts";
import { changesIntervalAlone } from "#app/modules/billing/subscriptions/change.rules.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { upgradeMessages } from "../../upgrade/messages.ts";
import { planMessages, planAheadMessages } from "../messages.ts";

/** Where to buy the plan that ended again. Null if it's no longer sold, or only to invited customers; a failed payment loses no invitation. */
export function againOf(
  { product, gate }: Pick<App, "product" | "gate">,
  { planId, interval, endCause }: Pick<Subscription, "planId" | "interval" | "endCause">,
) {
  const plan = planInForce(product, planId);
  const isGuarded = gateGuards(gate, planId) && endCause !== "payment-failed";
  if (!plan || isGuarded || !isOffered(plan) || plan.prices === null) return null;
  const name = planName(product, planId);
  const { lost } = planAheadMessages.en;
  const text = endCause === "payment-failed" ? lost.payAndContinue(name) : planMessages.en.free.again(name);
  return { text, to: reviewPath({ planId, interval: intervalFor(plan, interval) }) };
}

/** When the last plan ended and, if money was returned, why. `orders` are newest first. With `isWithdrawn`, its owner withdrew. */
export function sayEnded(
  product: ProductConfig,
  reader: Reader,
  { planId, endedAt, endCause }: Pick<Subscription, "planId" | "endedAt" | "endCause">,
  orders: readonly MarkedOrder[],
  isWithdrawn: boolean,
): string | null {
  if (endedAt === null) return null;
  const last = orders.find((order) => order.planId === planId && order.paidAt !== null);
  const { ended: messages } = planAheadMessages.en;
  return messages[whyEnded(last, isWithdrawn, endCause)](planName(product, planId), formatDay(endedAt, reader));
}

function whyEnded(last: MarkedOrder | undefined, isWithdrawn: boolean, endCause: Subscription["endCause"]) {
  if (endCause !== null) return endCause === "duplicate" ? "duplicate" : "unpaid";
  if (!last || !isMoneyGone(last)) return "other";
  if (last.dispute === "lost") return "returned";
  return isWithdrawn ? "withdrawn" : "refunded";
}

type Scheduled = Pick<
  Subscription,
  "planId" | "interval" | "pendingPlanId" | "pendingInterval" | "pendingAt" | "pendingMinor" | "currency"
>;

/**
 * The change scheduled for the next period: to another plan, or to paying for another period. While an `open` choice awaits payment, that
 * one has the button. Null if nothing is scheduled.
 */
export function sayPendingChange(product: ProductConfig, reader: Reader, running: Scheduled, open: Order | null) {
  const { planId, interval, pendingPlanId, pendingInterval, pendingAt, currency } = running;
  if (!pendingPlanId || !pendingInterval || !pendingAt) return null;
  const { pending: messages } = planAheadMessages.en;
  const day = formatDay(pendingAt, reader);
  const amountMinor = running.pendingMinor ?? priceMinorOf(product, pendingPlanId, pendingInterval);
  const price = `${formatMoney({ amountMinor, currency }, reader.locale)} ${planMessages.en.per[pendingInterval]}`;
  const current = planName(product, planId);
  const change = changesIntervalAlone(running)
    ? {
        title: messages.titleInterval[pendingInterval](day),
        text: messages.textInterval[pendingInterval](price),
        undo: upgradeMessages.en.keepInterval[interval],
      }
    : {
        title: messages.title(planName(product, pendingPlanId), day),
        text: messages.text(current, price),
        undo: upgradeMessages.en.keep(current),
      };
  return open ? { ...change, text: messages.aside(planName(product, open.planId), price), undo: null } : change;
}
