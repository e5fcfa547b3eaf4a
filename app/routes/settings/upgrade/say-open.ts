import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";

/** What the page shows of a choice that isn't paid. */
export function sayOpen(product: ProductConfig, { id, kind, state, isUnconfirmed, planId }: Order) {
  return { id, kind, state, isUnconfirmed, planName: planName(product, planId) };
}
