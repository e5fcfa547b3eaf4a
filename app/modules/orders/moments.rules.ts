/**
 * Lists what an order's timeline can contain. Invariant: an event is stored once per cause, in the batch of the change that it records.
 * Called from the statements that write the timeline, and from the pages that show it.
 */
import type { WithdrawalId } from "#app/core/id.ts";
import { orderStates } from "./rules.ts";

/** Events in the refunds and disputes of an order. */
export const moneyBackEvents = [
  "refund",
  "friend-discount",
  "refund-failed",
  "dispute",
  "dispute-won",
  "dispute-lost",
] as const;
export type MoneyBackEvent = (typeof moneyBackEvents)[number];

/** An order's state when it is reached, or another event. */
export const orderEvents = [...orderStates, ...moneyBackEvents, "mailed", "withdrawal"] as const;
export type OrderEvent = (typeof orderEvents)[number];

/** States of a payment that a customer is emailed about. */
const emailedStates = ["paid", "processing", "failed", "needs-action"] as const;
/** What is emailed about a withdrawal. */
const withdrawalEmails = ["withdrawal", "withdrawal-contested"] as const;

/** What an order's email was about. `suffix`: which attempt, or which copy of a receipt. `cause`: of the refund or dispute. */
export type EmailTopic =
  | { about: (typeof emailedStates)[number]; suffix?: string | number }
  | { about: "money-back"; cause: string; outcome?: "won" | "lost" }
  | { about: (typeof withdrawalEmails)[number]; id: WithdrawalId };

/** The cause of a `mailed` event: its row has no column that says what the email was about. `readMailedCause` reads it. */
export function mailedCause(topic: EmailTopic): string {
  switch (topic.about) {
    case "money-back":
      return [topic.cause, ...(topic.outcome ? [topic.outcome] : [])].join(".");
    case "withdrawal":
    case "withdrawal-contested":
      return `${topic.about}.${topic.id}`;
    default:
      return [topic.about, ...(topic.suffix === undefined ? [] : [topic.suffix])].join(".");
  }
}

export function readMailedCause(
  cause: string,
):
  | { about: (typeof emailedStates)[number] | (typeof withdrawalEmails)[number] }
  | { about: "money-back"; cause: string; outcome: "won" | "lost" | null } {
  const [name = "", rest] = cause.split(".");
  const about = [...emailedStates, ...withdrawalEmails].find((known) => known === name);
  if (about) return { about };
  return { about: "money-back", cause: name, outcome: rest === "won" || rest === "lost" ? rest : null };
}
