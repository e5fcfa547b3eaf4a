/**
 * Decides what on the overview needs its owner's attention, and in which order: what costs access comes first, then what may cost access,
 * then what only needs checking. Invariant: while a payment isn't confirmed, money isn't mentioned, so that no customer pays twice. Called
 * from the overview's loader.
 */
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { expiresBefore } from "#app/modules/billing/subscriptions/card.rules.ts";
import { isLostLately, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";

/** Most urgent first. */
export const attentionKinds = [
  "payment-failed",
  "plan-paused",
  "plan-lost",
  "first-payment",
  "card-expiring",
  "counted-over",
  "counted-idle",
  "limit-reached",
  "address-changed",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export type AttentionFacts = {
  running: Pick<Subscription, "cardExpires" | "state"> | null;
  /** The running plan has an overdue payment. */
  isDue: boolean;
  /** The last plan, if it ended and none is running. */
  ended: Pick<Subscription, "endCause" | "endedAt"> | null;
  /** A payment that may have been made isn't confirmed yet. */
  isUnconfirmed: boolean;
  /** The unpaid first payment for a chosen plan, if there is one. */
  open: Pick<Order, "state"> | null;
  /** The next charge, if one is planned. */
  next: { at: number } | null;
  /** How many there are of what plans limit by number, and how many the plan allows. `limit` is null without a plan. */
  counts: readonly { used: number; limit: number | null }[];
  /** The meters that have reached their limit. */
  full: readonly unknown[];
  /** The last change of address can still be undone by the link in the email to the old one. */
  isAddressNew: boolean;
  now: number;
};

/** Whether an unpaid choice waits for its owner. A draft never got to the payment page, and a debit just takes its time. */
export function waitsForOwner(open: Pick<Order, "state"> | null): boolean {
  return open !== null && open.state !== "draft" && open.state !== "processing";
}

export function listAttention(facts: AttentionFacts): AttentionKind[] {
  const { running, isDue, ended, isUnconfirmed, open, next, counts, full, isAddressNew, now } = facts;
  const hasPlan = counts.every(({ limit }) => limit !== null);
  const isUsed = counts.some(({ used }) => used > 0);
  const isNeeded: Record<AttentionKind, boolean> = {
    "payment-failed": isDue && !isUnconfirmed,
    "plan-paused": running?.state === "paused" && !isUnconfirmed,
    "plan-lost": ended !== null && isLostLately(ended, now) && !isUnconfirmed && open?.state !== "processing",
    "first-payment": running === null && !isUnconfirmed && waitsForOwner(open),
    "card-expiring":
      !isDue && !isUnconfirmed && next !== null && expiresBefore(running?.cardExpires ?? null, next.at, now),
    "counted-over": counts.some(isOver),
    "counted-idle": !hasPlan && isUsed,
    "limit-reached": hasPlan && isUsed && full.length > 0,
    "address-changed": isAddressNew,
  };
  return attentionKinds.filter((kind) => isNeeded[kind]);
}

export function isOver({ used, limit }: AttentionFacts["counts"][number]): boolean {
  return limit !== null && used > limit;
}
