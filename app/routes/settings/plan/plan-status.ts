import { type Reader, formatDay } from "#app/core/time/time.ts";
import { policies, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import type { PlanTexts } from "./messages.ts";

export type PlanStatus = { text: string; tone: "good" | "waiting" | "attention" | "bad" };

/** A plan's status in a word or two. Red is what failed, amber what ends or stops, and grey what was chosen and costs nothing. */
export function planStatus(
  { state, cancelsAt, pendingAt }: Pick<Subscription, "state" | "cancelsAt" | "pendingAt">,
  reader: Reader,
  messages: Pick<PlanTexts, "states" | "toConfirm" | "endsSoon" | "changesSoon" | "withdrawal">,
  /** `isToConfirm` means that the bank waits for the customer to confirm the renewal. */
  { isWithdrawn, isToConfirm }: { isWithdrawn: boolean; isToConfirm: boolean },
): PlanStatus {
  const { needsPayment, hasAccess } = policies[state];
  const text = messages.states[state];
  if (needsPayment && hasAccess && isToConfirm) return { text: messages.toConfirm, tone: "attention" };
  if (needsPayment) return { text, tone: "bad" };
  if (isWithdrawn) return { text: messages.withdrawal.status, tone: "waiting" };
  if (cancelsAt) return { text: messages.endsSoon(formatDay(cancelsAt, reader)), tone: "attention" };
  if (!hasAccess) return { text, tone: "attention" };
  if (pendingAt) return { text: messages.changesSoon(formatDay(pendingAt, reader)), tone: "waiting" };
  return { text, tone: "good" };
}
