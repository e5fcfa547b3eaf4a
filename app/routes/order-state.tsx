import type { OrderState } from "#app/domain/orders/rules.ts";
import { useWords } from "#app/ui/language.ts";
import { StateChip } from "#app/ui/state-chip.tsx";
import { ordersWords } from "./orders.words.ts";

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

export function OrderStateChip({ state }: { state: OrderState }) {
  return <StateChip tone={tones[state]}>{useWords(ordersWords).states[state]}</StateChip>;
}
