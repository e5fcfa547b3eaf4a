/**
 * An order's timeline: turns its stored events into entries that pages have a message for. Called from the order's page and the
 * operators' calls.
 */
import { type MoneyBackEvent, moneyBackEvents, readMailedCause } from "#app/modules/orders/moments.rules.ts";
import { type OrderState, orderStates } from "#app/modules/orders/rules.ts";

export type MomentRow = { what: string; cause: string; amountMinor: number | null; happenedAt: number };

/** What an email was about. */
export type TimelineEmail =
  | "receipt"
  | "processing"
  | "failed"
  | "action"
  | "refund"
  | "friend-discount"
  | "dispute"
  | "dispute-won"
  | "dispute-lost"
  | "withdrawal"
  | "withdrawal-contested"
  | "other";

export type TimelineEntry = { at: number } & (
  | { kind: "state"; state: OrderState; tryNumber: number }
  | { kind: "money"; event: MoneyBackEvent; amountMinor: number }
  | { kind: "mailed"; about: TimelineEmail }
  | { kind: "withdrawal" }
);

/** The entries of an order, in the order of their rows. Unknown events are left out. */
export function timelineOf(rows: MomentRow[]): TimelineEntry[] {
  return rows.flatMap((row): TimelineEntry[] => {
    const at = row.happenedAt;
    const state = orderStates.find((known) => known === row.what);
    if (state) return [{ at, kind: "state", state, tryNumber: Number(row.cause) || 1 }];
    const event = moneyBackEvents.find((known) => known === row.what);
    if (event) return [{ at, kind: "money", event, amountMinor: row.amountMinor ?? 0 }];
    if (row.what === "mailed") return [{ at, kind: "mailed", about: timelineEmail(row.cause, rows) }];
    return row.what === "withdrawal" ? [{ at, kind: "withdrawal" }] : [];
  });
}

const aboutState = { paid: "receipt", "needs-action": "action", processing: "processing", failed: "failed" } as const;

/** The email itself, whose template would say the same, is deleted long before the timeline. */
function timelineEmail(cause: string, rows: MomentRow[]): TimelineEmail {
  const topic = readMailedCause(cause);
  if (topic.about === "withdrawal" || topic.about === "withdrawal-contested") return topic.about;
  if (topic.about !== "money-back") return aboutState[topic.about];
  const moment = rows.find(
    (row) => row.cause === topic.cause && ["refund", "friend-discount", "dispute"].includes(row.what),
  );
  if (moment?.what === "refund" || moment?.what === "friend-discount") return moment.what;
  if (moment?.what !== "dispute") return "other";
  return topic.outcome ? `dispute-${topic.outcome}` : "dispute";
}

/** What the customer's bank took back: lost disputes. */
export function returnsOf(rows: MomentRow[]): { amountMinor: number; at: number }[] {
  return rows
    .filter(({ what }) => what === "dispute-lost")
    .map(({ amountMinor, happenedAt }) => ({ amountMinor: amountMinor ?? 0, at: happenedAt }));
}

/** What is left of a payment. */
export function retainedOf(
  { amountMinor, refundedMinor }: { amountMinor: number; refundedMinor: number },
  returns: ReturnType<typeof returnsOf>,
): number {
  return returns.reduce((left, returned) => left - returned.amountMinor, amountMinor - refundedMinor);
}

/** Completed refunds, without those that the bank returned. */
export function refundsOf(rows: MomentRow[]): { amountMinor: number; isFriendDiscount: boolean; at: number }[] {
  const returned = new Set(rows.filter(({ what }) => what === "refund-failed").map(({ cause }) => cause));
  return rows
    .filter(({ what, cause }) => (what === "refund" || what === "friend-discount") && !returned.has(cause))
    .map(({ what, amountMinor, happenedAt }) => ({
      amountMinor: amountMinor ?? 0,
      isFriendDiscount: what === "friend-discount",
      at: happenedAt,
    }));
}
