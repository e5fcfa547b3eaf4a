import type { OrderId } from "#app/core/id.ts";
import type { ContractOrder } from "#app/modules/billing/withdrawals/contract-orders.rules.ts";

/** An order of a contract for which nothing was paid, with the fields that a test cares about. */
export function sampleContractOrder(id: OrderId, facts: Partial<ContractOrder<OrderId>>): ContractOrder<OrderId> {
  return {
    billingReason: "new-plan",
    currency: "EUR",
    paidMinor: 0,
    creditMinor: 0,
    paidAt: 0,
    returnedMinor: 0,
    returnedAt: 0,
    lostMinor: 0,
    restSentMinor: 0,
    withdrawUntil: null,
    lines: [],
    ...facts,
    id,
  };
}
