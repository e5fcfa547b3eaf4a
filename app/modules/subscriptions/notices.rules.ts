/**
 * Decides when customers are notified of an upcoming yearly renewal or an expiring card. Invariant: each once per period; notices.queries
 * finds the rows that are due. Called from the cron job.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { Subscription } from "./rules.ts";

/** Notice before a yearly plan is charged again. */
export const renewalNoticeMs = 7 * dayMs;

/** Notice before a charge that an expiring card won't pay; banks replace most cards on their own. */
export const cardNoticeMs = 30 * dayMs;

export type NoticeKind = "renewal-notice" | "card-expiring";

/** The id of its email: one per kind, plan and period, and for a card per card. */
export function causeOf(kind: NoticeKind, { id, periodEndsAt, cardExpires }: Subscription): string {
  return [id, kind, ...(kind === "card-expiring" ? [cardExpires] : []), periodEndsAt].join(".");
}

/** "Visa •••• 4242": the same in every language. Null: no card, or an unknown number. */
export function nameCard({ cardBrand, cardLast4 }: Pick<Subscription, "cardBrand" | "cardLast4">): string | null {
  if (!cardBrand || !cardLast4) return null;
  return `${cardBrand.replace(/^./, (content) => content.toUpperCase())} •••• ${cardLast4}`;
}

/** The start of the last month in which a card (`2026-11`) can be charged. */
export function monthOf(cardExpires: string): number {
  const [year, month] = cardExpires.split("-").map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1);
}
