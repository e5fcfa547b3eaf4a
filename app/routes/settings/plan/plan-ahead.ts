import { href } from "react-router";
import { formatQuantity } from "#app/core/text/quantity.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { freePlan, intervalFor, isOffered, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { showPlanUsage } from "#app/modules/devices/reads/show-plan-usage.server.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import type { Subscription } from "#app/modules/subscriptions/rules.ts";
import { planAheadMessages } from "./plan-ahead.messages.ts";
import { withdrawalEndsAt } from "#app/modules/withdrawals/withdrawals.rules.ts";

type Usage = NonNullable<Awaited<ReturnType<typeof showPlanUsage>>["usage"]>;

/** Says what the free plan, which follows a cancelled one, doesn't include of what is used; empty: nothing. */
export function exceedsFree(product: ProductConfig, usage: Usage | null, locale: string): string {
  const free = freePlan(product);
  if (!free || !usage) return "";
  const exceeded = (
    label: string | null,
    unit: Usage["meters"][number]["unit"] | "count",
    used: number,
    limit: number,
  ) =>
    used > limit
      ? [{ label, used: formatQuantity(used, unit, locale), limit: formatQuantity(limit, unit, locale) }]
      : [];
  const limits: { readonly [limit: string]: number } = free.limits;
  const all = [
    ...exceeded(null, "count", usage.devices.used, free.limits.devices),
    ...usage.meters.flatMap(({ key, label, unit, used }) => {
      const meter = product.meters.find((each) => each.key === key);
      return meter && used ? exceeded(label, unit, used.value, limits[meter.limit] ?? 0) : [];
    }),
  ];
  return all.map((each) => planAheadMessages.en.exceeds(free.name, each)).join(" ");
}

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
