import type { Dispute, OrderState } from "#app/modules/billing/orders/states.rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  states: {
    draft: "Draft",
    pending: "Not paid",
    processing: "Processing",
    "needs-action": "Action needed",
    paid: "Paid",
    "partially-refunded": "Partly refunded",
    refunded: "Refunded",
    failed: "Failed",
    cancelled: "Cancelled",
    expired: "Expired",
  } satisfies Record<OrderState, string>,
  /** A lost dispute took only a part. */
  partlyLost: "Partly returned by bank",
  /** The owner's withdrawal is open. */
  withdrawn: "Withdrawn",
  unconfirmed: "Being confirmed",
  noCharge: "No charge",
  disputes: {
    none: null,
    "needs-response": "Disputed",
    "under-review": "Disputed",
    won: null,
    lost: "Returned by bank",
  } satisfies Record<Dispute, string | null>,
};

export const orderStateMessages: Messages<typeof en> = { en };
