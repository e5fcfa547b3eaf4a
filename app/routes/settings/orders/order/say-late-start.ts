import { dayMs, formatDay, type Reader } from "#app/core/time/time.ts";
import type { OrderLine } from "#app/modules/billing/history/reads/show-order.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { explanationMessages } from "./explanations.messages.ts";

/** For a first payment that arrived a day or more after its period began: says when both happened. Null otherwise. */
export function sayLateStart(
  { kind, paidAt }: Pick<Order, "kind" | "paidAt">,
  lines: readonly OrderLine[],
  reader: Reader,
): string | null {
  const startsAt = lines[0]?.periodStartsAt ?? null;
  const isLate = kind === "new-plan" && paidAt !== null && startsAt !== null && paidAt - startsAt >= dayMs;
  return isLate ? explanationMessages.en.lateStart(formatDay(startsAt, reader), formatDay(paidAt, reader)) : null;
}
