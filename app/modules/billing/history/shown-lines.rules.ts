/**
 * Decides which lines an order shows. Invariant: with the adjustments below them they add up to the charge. Called from an order's page and
 * its receipt.
 */
import { sumMinor } from "#app/core/money/money.ts";
import { stepsToCharge } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";

type Line = {
  position: number;
  description: string;
  amountMinor: number;
  periodStartsAt: number | null;
  periodEndsAt: number | null;
};
type Amounts = Pick<Order, "amountMinor" | "discountMinor" | "creditMinor">;

/** The lines of the invoice. Until these are stored, when it is paid, one line says what the charge is for. */
export function linesOrPlan(order: Amounts, lines: Line[], description: string): Line[] {
  if (lines.length > 0) return lines;
  const amountMinor = order.amountMinor - sumMinor(stepsToCharge(order, lines));
  return [{ position: 0, description, amountMinor, periodStartsAt: null, periodEndsAt: null }];
}
