import type { Order } from "#app/modules/orders/rules.ts";
import { mismatchMessages } from "./mismatch.messages.ts";

/** What every page says about a payment that isn't what was asked for. Null: it is. */
export function sayMismatch({ failure, state }: Pick<Order, "failure" | "state">): string | null {
  const { refunded, owed, kept } = mismatchMessages.en;
  if (failure === "mismatch-kept") return kept;
  if (failure !== "mismatch-refunded") return null;
  return state === "refunded" ? refunded : owed;
}
