import { formatCalendarDay } from "#app/core/time/calendar.ts";
import { href } from "react-router";
import { Link } from "#app/ui/components/link.tsx";
import type { PlanTexts } from "./messages.ts";
import type { PlanPageFacts } from "./page-data.ts";

/** Links to the order's page, where the customer can withdraw even after the plan has ended. The right ends when its last day does. */
export function moneyBackRow({ moneyBack, reader }: Pick<PlanPageFacts, "moneyBack" | "reader">, messages: PlanTexts) {
  if (!moneyBack) return [];
  const day = formatCalendarDay(moneyBack.lastDay, reader);
  const to = href("/settings/orders/:order", { order: moneyBack.orderId });
  return [{ label: messages.moneyBack, value: <Link to={to}>{messages.moneyBackText(day)}</Link> }];
}
