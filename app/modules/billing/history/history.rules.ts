/**
 * An order's history: turns its stored events into those that pages have a message for. Called from the order's page and the
 * operators' calls.
 */
import {
  type HistoryEventName,
  type MoneyBackEventName,
  moneyBackEventNames,
  occurrences,
} from "#app/modules/billing/orders/history-events.rules.ts";
import type { MoneyAmount } from "#app/core/money/money.ts";
import { type OrderState, orderStates } from "#app/modules/billing/orders/states.rules.ts";

export type HistoryEventRow = {
  what: HistoryEventName;
  occurrence: string;
  amountMinor: number | null;
  happenedAt: number;
};

/** What an email was about. */
export type HistoryEmail =
  | "receipt"
  | "processing"
  | "failed"
  | "action"
  | "refund"
  | "friend-discount"
  | "dispute"
  | "dispute-won"
  | "dispute-lost"
  | "credit-note"
  | "withdrawal"
  | "withdrawal-contested"
  | "other";

export type HistoryEvent = { at: number } & (
  | { kind: "state"; state: OrderState; tryNumber: number }
  | { kind: "money"; event: MoneyBackEventName; amountMinor: number }
  | { kind: "mismatch"; asked: MoneyAmount }
  | { kind: "emailed"; about: HistoryEmail }
  | { kind: "withdrawal"; declaredBy: "owner" | "anyone" }
);

/** The events of an order, in the order of their rows. Unknown events are left out. */
export function historyOf(rows: HistoryEventRow[]): HistoryEvent[] {
  return rows.flatMap((row): HistoryEvent[] => {
    const at = row.happenedAt;
    const state = orderStates.find((known) => known === row.what);
    if (state) return [{ at, kind: "state", state, tryNumber: occurrences.ofTry.read(row.occurrence) }];
    const event = moneyBackEventNames.find((known) => known === row.what);
    if (event) return [{ at, kind: "money", event, amountMinor: row.amountMinor ?? 0 }];
    if (row.what === "mismatch")
      return [{ at, kind: "mismatch", asked: { amountMinor: row.amountMinor ?? 0, currency: row.occurrence } }];
    if (row.what === "emailed") return [{ at, kind: "emailed", about: historyEmail(row.occurrence, rows) }];
    return row.what === "withdrawal" ? [{ at, kind: "withdrawal", declaredBy: "owner" }] : [];
  });
}

const aboutOther = {
  paid: "receipt",
  "needs-action": "action",
  processing: "processing",
  failed: "failed",
  "credit-note": "credit-note",
  withdrawal: "withdrawal",
  "withdrawal-contested": "withdrawal-contested",
} as const;

/** The email itself, whose template would say the same, is deleted long before the history. */
function historyEmail(occurrence: string, rows: HistoryEventRow[]): HistoryEmail {
  const topic = occurrences.ofEmail.read(occurrence);
  if (topic.about !== "money-back") return aboutOther[topic.about];
  const refundOrDispute = rows.find(
    (row) => row.occurrence === topic.occurrence && ["refund", "friend-discount", "dispute"].includes(row.what),
  );
  if (refundOrDispute?.what === "refund" || refundOrDispute?.what === "friend-discount") return refundOrDispute.what;
  if (refundOrDispute?.what !== "dispute") return "other";
  return topic.outcome ? `dispute-${topic.outcome}` : "dispute";
}

/** What the customer's bank took back: disputes that were lost, and not won later on appeal. */
export function returnsOf(rows: HistoryEventRow[]): { amountMinor: number; at: number }[] {
  const isWonSince = ({ occurrence, happenedAt }: HistoryEventRow) =>
    rows.some((row) => row.what === "dispute-won" && row.occurrence === occurrence && row.happenedAt >= happenedAt);
  return rows
    .filter((row) => row.what === "dispute-lost" && !isWonSince(row))
    .map(({ amountMinor, happenedAt }) => ({ amountMinor: amountMinor ?? 0, at: happenedAt }));
}
