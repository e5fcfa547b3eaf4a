import type { MarkedOrder } from "#app/modules/billing/orders/rules.ts";
import { isPartlyLost, type OrderState } from "#app/modules/billing/orders/states.rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { orderStateMessages } from "./messages.ts";

const tones = {
  draft: "neutral",
  pending: "waiting",
  processing: "waiting",
  "needs-action": "attention",
  paid: "good",
  "partially-refunded": "neutral",
  refunded: "neutral",
  failed: "bad",
  cancelled: "neutral",
  expired: "neutral",
} as const satisfies Record<OrderState, string>;

type ShownOrder = Pick<
  MarkedOrder,
  "state" | "dispute" | "isUnconfirmed" | "amountMinor" | "creditMinor" | "refundedMinor" | "lostMinor"
> & { isWithdrawn?: boolean };

/** A withdrawal, a dispute or refund says more than that the order was paid, so it is shown instead of the state. */
export function OrderStateChip({ order }: { order: ShownOrder }) {
  const messages = useMessages(orderStateMessages);
  const disputed = isPartlyLost(order) ? messages.partlyLost : messages.disputes[order.dispute];
  if (order.isWithdrawn && order.state !== "refunded")
    return <StateChip tone="attention">{messages.withdrawn}</StateChip>;
  if (disputed) return <StateChip tone={order.dispute === "lost" ? "neutral" : "attention"}>{disputed}</StateChip>;
  if (order.isUnconfirmed) return <StateChip tone="waiting">{messages.unconfirmed}</StateChip>;
  // The first period of a trial: nothing was paid, in money or credit.
  if (order.state === "paid" && order.amountMinor === 0 && order.creditMinor === 0)
    return <StateChip tone="neutral">{messages.noCharge}</StateChip>;
  return <StateChip tone={tones[order.state]}>{messages.states[order.state]}</StateChip>;
}
