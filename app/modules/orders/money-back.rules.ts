/**
 * Money that goes back: refunds, and disputes that a customer's bank opened. The order follows what the provider says of its
 * charges; access goes when all the money of the running period is gone.
 */
import type { Dispute, OrderState } from "./rules.ts";

/** One charge of an order as far as money went back from it. */
export type ChargeFacts = {
  refundedMinor: number;
  refunds: {
    id: string;
    amountMinor: number;
    state: "pending" | "succeeded" | "failed";
    isFriendDiscount: boolean;
    createdAt: number;
  }[];
  disputes: { id: string; amountMinor: number; state: Dispute; createdAt: number; dueAt: number | null }[];
};

/** What happened to the money of an order, each under its own name. */
export type MoneyBackMoment = {
  what: "refund" | "friend-discount" | "refund-failed" | "dispute" | "dispute-won" | "dispute-lost";
  cause: string;
  amountMinor: number;
  /** Null: it was found out just now. */
  at: number | null;
};

export function momentsOf(charges: ChargeFacts[]): MoneyBackMoment[] {
  const refunds = oldestFirst(charges.flatMap((charge) => charge.refunds));
  const disputes = oldestFirst(charges.flatMap((charge) => charge.disputes));
  return [
    ...refunds.flatMap(({ id: cause, state, isFriendDiscount, amountMinor, createdAt: at }): MoneyBackMoment[] => [
      { what: isFriendDiscount ? "friend-discount" : "refund", cause, amountMinor, at },
      ...(state === "failed" ? [{ what: "refund-failed" as const, cause, amountMinor, at: null }] : []),
    ]),
    ...disputes.flatMap(({ id: cause, state, amountMinor, createdAt: at }): MoneyBackMoment[] => [
      { what: "dispute", cause, amountMinor, at },
      ...(state === "won" || state === "lost"
        ? [{ what: `dispute-${state}` as const, cause, amountMinor, at: null }]
        : []),
    ]),
  ];
}

/** As they came about: that is how they are told. */
function oldestFirst<Part extends { createdAt: number }>(parts: Part[]): Part[] {
  return parts.toSorted((left, right) => left.createdAt - right.createdAt);
}

/** `friendDiscountMinor` is part of `refundedMinor`. */
export type MoneyBack = {
  state: OrderState;
  refundedMinor: number;
  friendDiscountMinor: number;
  dispute: Dispute;
  /** By when the dispute has to be answered; null: not at all, or not any more. */
  disputeDueAt: number | null;
};

/** What refunds and disputes make of an order that was paid. The newest dispute speaks for it. */
export function judgeMoneyBack(paidMinor: number, charges: ChargeFacts[], isCovered = false): MoneyBack {
  const refundedMinor = charges.reduce((sum, charge) => sum + charge.refundedMinor, 0);
  const [dispute] = charges.flatMap(({ disputes }) => disputes).sort((left, right) => right.createdAt - left.createdAt);
  const friendDiscountMinor = friendDiscountOf(charges);
  // Paid for by credit alone and withdrawn from: no money goes back, and the credit does.
  const isAllCredit = isCovered && paidMinor === 0;
  const state = isAllCredit ? "refunded" : stateAfterRefund(paidMinor, refundedMinor, friendDiscountMinor);
  const disputeDueAt = dispute?.state === "needs-response" ? dispute.dueAt : null;
  return { state, refundedMinor, friendDiscountMinor, dispute: dispute?.state ?? "none", disputeDueAt };
}

/** A refund that the bank sent back has not happened. */
function friendDiscountOf(charges: ChargeFacts[]): number {
  const refunds = charges.flatMap((charge) => charge.refunds);
  const given = refunds.filter(({ isFriendDiscount, state }) => isFriendDiscount && state !== "failed");
  return given.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** A friend's discount alone leaves an order paid, were it all of the price. */
function stateAfterRefund(paidMinor: number, refundedMinor: number, friendDiscountMinor: number): OrderState {
  if (refundedMinor - friendDiscountMinor <= 0) return "paid";
  return refundedMinor < paidMinor ? "partially-refunded" : "refunded";
}

/**
 * All of what was paid went back, by refunds or to a bank that decided for its customer. Nothing paid is nothing gone, and a friend's
 * discount alone takes nothing away.
 */
export function isMoneyGone(paidMinor: number, charges: ChargeFacts[]): boolean {
  const lost = charges.flatMap(({ disputes }) => disputes).filter(({ state }) => state === "lost");
  const parts = [...charges.map(({ refundedMinor }) => refundedMinor), ...lost.map(({ amountMinor }) => amountMinor)];
  const gone = parts.reduce((sum, amountMinor) => sum + amountMinor, 0);
  return paidMinor > 0 && gone >= paidMinor && gone > friendDiscountOf(charges);
}
