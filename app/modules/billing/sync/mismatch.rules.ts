/**
 * Decides what becomes of a payment that isn't the one that was asked for. Invariants: nobody keeps paying more than they were shown; what
 * isn't granted is refunded in full and its subscription ended, so that none renews without a plan; the same facts give the same outcome,
 * before and after the refund. Called from the reconciler.
 */
import type { MoneyAmount } from "#app/core/money/money.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import type { Mismatch } from "#app/modules/billing/orders/states.rules.ts";

type AskedOrder = Pick<
  Order,
  "kind" | "planId" | "interval" | "amountMinor" | "discountMinor" | "creditMinor" | "currency" | "expiresAt"
>;

export type PaidInvoice = {
  discountMinor: number;
  /** After discounts, before the customer's balance. */
  totalMinor: number;
  currency: string;
  /** The price that Stripe charged, which names its plan. Null if it is none of this site's. */
  price: (MoneyAmount & Pick<Order, "planId" | "interval">) | null;
};

/**
 * Null if it was paid as asked. The price of a plan and interval that is known at Stripe was made from a config, today's or an earlier one:
 * the plan is granted at that price if it isn't more than was asked. Anything else is refunded.
 */
export function decideMismatch(order: AskedOrder, invoice: PaidInvoice): Mismatch | null {
  if (isAsAsked(order, invoice)) return null;
  const { price, currency, totalMinor, discountMinor } = invoice;
  const isOfPlan = price?.planId === order.planId && price.interval === order.interval;
  if (!price || !isOfPlan || currency !== order.currency) return "mismatch-refunded";
  // A change is charged by what is left of its period, and was quoted after discounts.
  const chargedMinor = order.kind === "change" ? totalMinor : totalMinor + discountMinor;
  const isWholePrice = order.kind !== "new-plan" || chargedMinor === price.amountMinor;
  return isWholePrice && chargedMinor <= askedMinor(order) ? "mismatch-kept" : "mismatch-refunded";
}

/** The price that the order was made for, of which discount, credit or earlier debt may have taken a part. */
export function askedMinor({ amountMinor, creditMinor, discountMinor }: AskedOrder): number {
  return amountMinor + creditMinor + discountMinor;
}

/** For a checkout or change started here. Any other invoice has no price to compare it with. */
function isAsAsked(order: AskedOrder, { price, currency, totalMinor, discountMinor }: PaidInvoice): boolean {
  if (order.expiresAt === null) return true;
  const asked = askedMinor(order);
  // A change is quoted after the team's discounts, and a purchase before them.
  const isAmount = totalMinor + discountMinor === asked || (order.kind === "change" && totalMinor === asked);
  const isPlan = price === null || (price.planId === order.planId && price.interval === order.interval);
  return isAmount && isPlan && currency === order.currency;
}
