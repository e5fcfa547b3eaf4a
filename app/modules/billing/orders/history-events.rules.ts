/**
 * Lists what an order's history can contain. Invariant: an event is stored once per occurrence, in the batch of the change that it
 * records. Called from the statements that write the history, and from the pages that show it.
 */
import type { WithdrawalId } from "#app/core/id.ts";
import { orderStates } from "./states.rules.ts";

/** Events in the refunds and disputes of an order. */
export const moneyBackEventNames = [
  "refund",
  "friend-discount",
  "refund-failed",
  "dispute",
  "dispute-won",
  "dispute-lost",
] as const;
export type MoneyBackEventName = (typeof moneyBackEventNames)[number];

/** An order's state when it is reached, or another event. `mismatch`: something else was paid than this amount, which was asked for. */
export const historyEventNames = [...orderStates, ...moneyBackEventNames, "mismatch", "emailed", "withdrawal"] as const;
export type HistoryEventName = (typeof historyEventNames)[number];

/** States of a payment that a customer is emailed about. */
const emailedStates = ["paid", "processing", "failed", "needs-action"] as const;
/** What is emailed about a withdrawal. */
const withdrawalEmails = ["withdrawal", "withdrawal-contested"] as const;

/**
 * What an order's email was about. `suffix`: which attempt, or which copy of a receipt. `occurrence`: of the refund or dispute. `cause`: of the
 * credit note.
 */
export type EmailTopic =
  | { about: (typeof emailedStates)[number]; suffix?: string | number }
  | { about: "money-back"; occurrence: string; outcome?: "won" | "lost" }
  | { about: "credit-note"; cause: string }
  | { about: (typeof withdrawalEmails)[number]; id: WithdrawalId };

/** What is read again of an `EmailTopic`. */
type StoredTopic =
  | { about: (typeof emailedStates)[number] | "credit-note" | (typeof withdrawalEmails)[number] }
  | { about: "money-back"; occurrence: string; outcome: "won" | "lost" | null };

type Codec<Written, Read = Written> = { write: (value: Written) => string; read: (occurrence: string) => Read };

/** Tells apart events that an order can have several of: how the column `occurrence` is written, and read again. */
export const occurrences: { ofTry: Codec<number>; ofEmail: Codec<EmailTopic, StoredTopic> } = {
  /** Of a state that is reached once per try: the number of the try, from the second on. */
  ofTry: {
    write: (tryNumber) => (tryNumber > 1 ? String(tryNumber) : ""),
    read: (occurrence) => Number(occurrence) || 1,
  },
  /** Of an `emailed` event: its row has no column that says what the email was about. */
  ofEmail: { write: writeTopic, read: readTopic },
};

function writeTopic(topic: EmailTopic): string {
  switch (topic.about) {
    case "money-back":
      return [topic.occurrence, ...(topic.outcome ? [topic.outcome] : [])].join(".");
    case "credit-note":
      return `${topic.about}.${topic.cause}`;
    case "withdrawal":
    case "withdrawal-contested":
      return `${topic.about}.${topic.id}`;
    default:
      return [topic.about, ...(topic.suffix === undefined ? [] : [topic.suffix])].join(".");
  }
}

function readTopic(occurrence: string): StoredTopic {
  const [name = "", rest] = occurrence.split(".");
  const about = [...emailedStates, "credit-note" as const, ...withdrawalEmails].find((known) => known === name);
  if (about) return { about };
  return { about: "money-back", occurrence: name, outcome: rest === "won" || rest === "lost" ? rest : null };
}
