import type { Order, OrderState } from "#app/modules/orders/rules.ts";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { StateChip } from "#app/ui/components/state-chip.tsx";
import { ordersWords } from "./messages.ts";

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

/** What became of the money says more than that it came: a bank that asks it back, or took it, goes before the state. */
export function OrderStateChip({ order }: { order: Pick<Order, "state" | "dispute" | "isUnconfirmed"> }) {
  const words = useWords(ordersWords);
  const disputed = words.disputes[order.dispute];
  if (disputed) return <StateChip tone={order.dispute === "lost" ? "neutral" : "attention"}>{disputed}</StateChip>;
  if (order.isUnconfirmed) return <StateChip tone="waiting">{words.unconfirmed}</StateChip>;
  return <StateChip tone={tones[order.state]}>{words.states[order.state]}</StateChip>;
}
