import type { Order } from "#app/modules/billing/orders/rules.ts";
import { processingMessages } from "#app/routes/payment/messages.ts";
import { sayWhenLocked } from "../../say-when-locked.ts";

type Due = Parameters<typeof sayWhenLocked>[2];

/** `dueText` says until when an unpaid renewal can be paid; `processingText` what to expect while the bank processes the payment. */
export function sayUnpaid(
  product: Parameters<typeof sayWhenLocked>[0],
  account: Parameters<typeof sayWhenLocked>[1],
  { kind, state }: Pick<Order, "kind" | "state">,
  due: Due | null | undefined,
): { dueText: string | null; processingText: string | null } {
  const { text, asUsual } = processingMessages.en;
  const dueText = kind === "renewal" && due ? sayWhenLocked(product, account, due) : null;
  const isActive = kind === "renewal" && dueText === null;
  return { dueText, processingText: state !== "processing" ? null : isActive ? `${text} ${asUsual}` : text };
}
