import { dayMs, formatDay, type Reader } from "#app/core/time/time.ts";
import type { OrderLine } from "#app/modules/order-history/reads/show-order.server.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { explanationMessages } from "./explanations.messages.ts";

/** A first payment that took days arrived after the period that it pays for had begun; null: it didn't. */
export function sayLateStart(
  { kind, paidAt }: Pick<Order, "kind" | "paidAt">,
  lines: readonly OrderLine[],
  reader: Reader,
): string | null {
  const startsAt = lines[0]?.periodStartsAt ?? null;
  const isLate = kind === "new-plan" && paidAt !== null && startsAt !== null && paidAt - startsAt >= dayMs;
  return isLate ? explanationMessages.en.lateStart(formatDay(startsAt, reader), formatDay(paidAt, reader)) : null;
}
