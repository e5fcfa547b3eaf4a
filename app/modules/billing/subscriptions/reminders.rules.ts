/**
 * Decides when customers are reminded of an upcoming yearly renewal or an expiring card. Invariant: each once per period; reminders.queries
 * finds the rows that are due. Called from the cron job.
 */
import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { Subscription } from "./rules.ts";

/** How long before a yearly renewal its owner is reminded. */
export function renewalReminderMs({ renewalReminderDays = defaultRenewalReminderDays }: Reminding): number {
  return renewalReminderDays * dayMs;
}

type Reminding = { renewalReminderDays?: number };
/** California asks for 15 to 45 days before a renewal for a year or longer (Business and Professions Code, section 17602). */
const defaultRenewalReminderDays = 30;

/** How long before a charge that an expiring card can't pay its owner is reminded; banks replace most cards on their own. */
export const cardReminderMs = 30 * dayMs;

export type ReminderKind = "renewal-notice" | "card-expiring";

/** The key of a reminder's email: one per kind, plan and period, and for an expiring card also per card. */
export function reminderKey(kind: ReminderKind, { id, periodEndsAt, cardExpires }: Subscription): string {
  return [id, kind, ...(kind === "card-expiring" ? [cardExpires] : []), periodEndsAt].join(".");
}

/** "Visa •••• 4242", or another payment method. Null if none is known. */
export function nameMethod({ cardBrand, cardLast4 }: Pick<Subscription, "cardBrand" | "cardLast4">): string | null {
  return cardBrand === null ? null : namePaymentMethod(cardBrand, cardLast4);
}

/** The start of the last month in which a card (`2026-11`) can be charged. */
export function cardMonthOf(cardExpires: string): number {
  const [year, month] = cardExpires.split("-").map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1);
}
