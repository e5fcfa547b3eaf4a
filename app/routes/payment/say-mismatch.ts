import type { Order } from "#app/modules/billing/orders/rules.ts";
import { isRefundOwed } from "#app/modules/billing/orders/states.rules.ts";
import { mismatchMessages } from "./messages.ts";

/** What every page says about a payment that isn't what was asked for, or null for any other. `hasPlan`: a plan runs. */
export function sayMismatch(
  order: Pick<Order, "kind" | "failure" | "state" | "dispute">,
  { hasPlan }: { hasPlan: boolean },
): string | null {
  const { refunded, returned, owed, owedRunning, kept } = mismatchMessages.en;
  if (order.failure === "mismatch-kept") return kept;
  if (order.failure !== "mismatch-refunded") return null;
  if (isRefundOwed(order)) return hasPlan && order.kind === "change" ? owedRunning : owed;
  return order.state === "refunded" ? refunded : returned;
}
