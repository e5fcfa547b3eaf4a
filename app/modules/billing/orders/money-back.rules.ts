/**
 * Decides what refunds and disputes mean for an order. Invariants: the order follows what Stripe says about its charges; access ends once
 * all that was paid for the running period was returned. Called from the reconciler.
 */
import { sumMinor } from "#app/core/money/money.ts";
import type { DisputeState, RefundState } from "#app/core/stripe/states.ts";
import type { MoneyBackEventName } from "./history-events.rules.ts";
import type { Dispute, OrderState } from "./states.rules.ts";

/** One charge of an order with its refunds and disputes. */
export type ChargeFacts = {
  refundedMinor: number;
  refunds: {
    id: string;
    amountMinor: number;
    state: RefundState;
    isFriendDiscount: boolean;
    isOfMismatch: boolean;
    restOf: string | null;
    createdAt: number;
  }[];
  disputes: { id: string; amountMinor: number; state: DisputeState; createdAt: number; dueAt: number | null }[];
};

/** An event in the refunds or disputes of an order, unique by its occurrence. */
export type MoneyBackEvent = {
  what: MoneyBackEventName;
  occurrence: string;
  amountMinor: number;
  /** Whether the payment wasn't what was asked for: the email about that says that it was sent back. */
  isOfMismatch: boolean;
  /** Whether the site itself sent what was left of a plan that had ended. */
  isRest: boolean;
  /** Null if this sync has just found it. */
  at: number | null;
};

export function moneyBackEventsOf(charges: ChargeFacts[]): MoneyBackEvent[] {
  const refunds = oldestFirst(charges.flatMap((charge) => charge.refunds));
  const disputes = oldestFirst(charges.flatMap((charge) => charge.disputes));
  return [
    ...refunds.flatMap(({ state, isFriendDiscount, createdAt: at, ...refund }): MoneyBackEvent[] => {
      const { id: occurrence, amountMinor, isOfMismatch, restOf } = refund;
      const facts = { occurrence, amountMinor, isOfMismatch, isRest: restOf !== null };
      return [
        { what: isFriendDiscount ? "friend-discount" : "refund", ...facts, at },
        ...(state === "failed" ? [{ what: "refund-failed" as const, ...facts, at: null }] : []),
      ];
    }),
    ...disputes.flatMap(({ id: occurrence, state, amountMinor, createdAt: at }): MoneyBackEvent[] => [
      { what: "dispute", occurrence, amountMinor, isOfMismatch: false, isRest: false, at },
      ...(state === "won" || state === "lost"
        ? [{ what: `dispute-${state}` as const, occurrence, amountMinor, isOfMismatch: false, isRest: false, at: null }]
        : []),
    ]),
  ];
}

/** In the order they happened, which is how the history shows them. */
function oldestFirst<Part extends { createdAt: number }>(parts: Part[]): Part[] {
  return parts.toSorted((left, right) => left.createdAt - right.createdAt);
}

/** `friendDiscountMinor` is part of `refundedMinor`. */
export type MoneyBack = {
  state: OrderState;
  refundedMinor: number;
  friendDiscountMinor: number;
  dispute: Dispute;
  /** By when the dispute needs a response. Null if it needs none. */
  disputeDueAt: number | null;
};

/** What refunds and disputes mean for a paid order. The newest dispute counts. */
export function decideMoneyBack(paidMinor: number, charges: ChargeFacts[], isCovered = false): MoneyBack {
  const refundedMinor = charges.reduce((sum, charge) => sum + charge.refundedMinor, 0);
  const [dispute] = charges.flatMap(({ disputes }) => disputes).sort((left, right) => right.createdAt - left.createdAt);
  const friendDiscountMinor = friendDiscountOf(charges);
  // An order that credit alone paid was withdrawn from: credit is returned, but no money.
  const isAllCredit = isCovered && paidMinor === 0;
  const state = isAllCredit ? "refunded" : stateAfterRefund(paidMinor, refundedMinor, friendDiscountMinor);
  const disputeDueAt = dispute?.state === "needs-response" ? dispute.dueAt : null;
  return { state, refundedMinor, friendDiscountMinor, dispute: dispute?.state ?? "none", disputeDueAt };
}

/**
 * How much of the credit that paid an order goes back, in all: `owedMinor` of it by what was undone of its contract, and all of it with a full
 * refund, unless the site only sent the rest of a contract. Credit that went back stays there.
 */
export function creditReturnedOf(
  { creditMinor, creditReturnedMinor }: { creditMinor: number; creditReturnedMinor: number },
  charges: ChargeFacts[],
  { state, owedMinor }: { state: OrderState; owedMinor: number },
): number {
  const sent = charges.flatMap(({ refunds }) => refunds.filter(({ state: own }) => own !== "failed"));
  const isRestOnly =
    sent.some(({ restOf }) => restOf !== null) &&
    sent.every(({ restOf, isFriendDiscount }) => restOf !== null || isFriendDiscount);
  const wholeMinor = state === "refunded" && !isRestOnly ? creditMinor : 0;
  return Math.max(creditReturnedMinor, owedMinor, wholeMinor);
}

/** Without refunds that the bank returned. */
function friendDiscountOf(charges: ChargeFacts[]): number {
  const refunds = charges.flatMap((charge) => charge.refunds);
  const given = refunds.filter(({ isFriendDiscount, state }) => isFriendDiscount && state !== "failed");
  return sumMinor(given);
}

/** A friend's discount leaves an order paid, even if it is the whole price. */
function stateAfterRefund(paidMinor: number, refundedMinor: number, friendDiscountMinor: number): OrderState {
  if (refundedMinor - friendDiscountMinor <= 0) return "paid";
  return refundedMinor < paidMinor ? "partially-refunded" : "refunded";
}

/** All that was paid was refunded or lost in a dispute. Nothing paid means nothing returned, and a friend's discount doesn't count. */
export function isFullyReturned(paidMinor: number, charges: ChargeFacts[]): boolean {
  const lost = charges.flatMap(({ disputes }) => disputes).filter(({ state }) => state === "lost");
  const parts = [...charges.map(({ refundedMinor }) => refundedMinor), ...lost.map(({ amountMinor }) => amountMinor)];
  const gone = parts.reduce((sum, amountMinor) => sum + amountMinor, 0);
  return paidMinor > 0 && gone >= paidMinor && gone > friendDiscountOf(charges);
}
