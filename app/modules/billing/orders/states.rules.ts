/**
 * Decides the states of an order, from the choice of a plan to its receipt: which can follow, and what each means. Invariants: Stripe decides
 * whether money was paid, and `orderTransitions` which states can follow, in any order of events. Its conditions in SQL are in
 * states.queries.server.ts. Called from the reconciler, the checkout and every page that shows an order.
 */
import type { OrderId } from "#app/core/id.ts";
import { resultPath } from "#app/core/page-paths.ts";
import { statesBefore } from "#app/core/states-before.ts";
import { disputeStates } from "#app/core/stripe/states.ts";
import { secondMs } from "#app/core/time/time.ts";

export const orderStates = [
  "draft",
  "pending",
  "processing",
  "needs-action",
  "paid",
  "partially-refunded",
  "refunded",
  "failed",
  "cancelled",
  "expired",
] as const;
export type OrderState = (typeof orderStates)[number];

/** Why a payment failed, for reasons that the customer can act on. */
const failureClasses = ["declined", "no-funds", "card-details", "authentication", "other"] as const;
export type FailureClass = (typeof failureClasses)[number];
/** Something else was paid than the order asked for: the plan is kept at what was paid, or the payment is refunded. */
export const mismatches = ["mismatch-kept", "mismatch-refunded"] as const;
export type Mismatch = (typeof mismatches)[number];
export const orderFailures = [...failureClasses, ...mismatches] as const;
export type OrderFailure = (typeof orderFailures)[number];

export const disputes = ["none", ...disputeStates] as const;
export type Dispute = (typeof disputes)[number];

/** The part of an order that says where it stands. */
export type OrderStatus = {
  state: OrderState;
  failure: OrderFailure | null;
  dispute: Dispute;
  /** By when the dispute needs a response. Null if it needs none. */
  disputeDueAt: number | null;
  paidAt: number | null;
  /**
   * It may have been paid, and Stripe hasn't answered since: a customer returned, an event arrived or a charge was sent. The next sync that begins
   * at `unconfirmedUntil` or later clears it. Meanwhile no page, call or command offers to pay this order or another instead.
   */
  isUnconfirmed: boolean;
  unconfirmedUntil: number | null;
};

// Transitions ---------------------------------------------------------------------------------------------------------

/** The transitions of an order. A transition that isn't listed can't happen, even if an event implies it. */
export const orderTransitions: Record<OrderState, readonly OrderState[]> = {
  draft: ["pending", "processing", "needs-action", "paid", "failed", "cancelled", "expired"],
  pending: ["processing", "needs-action", "paid", "failed", "cancelled", "expired"],
  // Cancelled only if Stripe says that the invoice was voided.
  processing: ["paid", "failed", "cancelled", "expired"],
  "needs-action": ["pending", "processing", "paid", "failed", "cancelled", "expired"],
  failed: ["pending", "processing", "needs-action", "paid", "cancelled", "expired"],
  paid: ["partially-refunded", "refunded"],
  // After a refund that the bank returned.
  "partially-refunded": ["paid", "refunded"],
  refunded: ["paid", "partially-refunded"],
  cancelled: ["paid"],
  expired: ["paid"],
};

/** The states from which an order can reach `to`. */
export function orderStatesBefore(to: OrderState): OrderState[] {
  return statesBefore(orderStates, orderTransitions, to);
}

// Groups of states ----------------------------------------------------------------------------------------------------

/** The payment pages, by the status in their path. */
export const paymentStatuses = ["success", "processing", "action", "failed", "cancelled", "expired"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const paymentStatusOf: Record<OrderState, PaymentStatus> = {
  draft: "cancelled",
  pending: "cancelled",
  processing: "processing",
  "needs-action": "action",
  paid: "success",
  "partially-refunded": "success",
  refunded: "success",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

/** Not final yet: the one open purchase of an account, which the table's partial UNIQUE index allows once. */
export const openStates = ["draft", "pending", "processing", "needs-action", "failed"] as const satisfies OrderState[];
/** Open, and no payment is on its way. */
export const payableStates = openStates.filter((state) => state !== "processing");
/** Reached once, whatever the number of attempts. */
export const givenUpStates = ["cancelled", "expired"] as const satisfies OrderState[];
/** Paid at some time. */
export const paidStates = orderStates.filter((state) => paymentStatusOf[state] === "success");
/** The states that may turn out to be paid. A payment that is processing is known, and can't be paid twice. */
export const confirmableStates: readonly OrderState[] = [...payableStates, ...givenUpStates];

export function isOpen(state: OrderState): boolean {
  return openStates.some((open) => open === state);
}

export function isGivenUp(state: OrderState): boolean {
  return givenUpStates.some((givenUp) => givenUp === state);
}

// Unconfirmed ---------------------------------------------------------------------------------------------------------

/** A younger draft may be in a request to Stripe, whose deadline is shorter than this. */
export const underWayMs = 30 * secondMs;

/** The page after an unanswered charge doesn't wait for Stripe again; its refresh does. */
const justAskedMs = 4 * secondMs;

/** When Stripe's answers count again after an unanswered charge, which may still be executed until then. */
export function unconfirmedAfterCharge(now: number): number {
  return now + underWayMs;
}

export function wasJustAsked({ unconfirmedUntil }: Pick<OrderStatus, "unconfirmedUntil">, now: number): boolean {
  return unconfirmedUntil !== null && unconfirmedUntil > unconfirmedAfterCharge(now) - justAskedMs;
}

/** Whether the bank is processing it or Stripe hasn't answered. Until that is known, nothing can be bought. */
export function isUnderWay({ state, isUnconfirmed }: Pick<OrderStatus, "state" | "isUnconfirmed">): boolean {
  return isUnconfirmed || state === "processing";
}

/** Why nothing is sold or charged: an order of this account is unconfirmed. Its page refreshes until it is settled. */
export type UnconfirmedRefusal = { reason: "payment-unconfirmed"; orderId: OrderId };

// Pages ---------------------------------------------------------------------------------------------------------------

export function isPaymentStatus(word: string): word is PaymentStatus {
  return paymentStatuses.some((status) => status === word);
}

/** The page that shows the order's result, and refreshes until there is one. */
export function paymentPath({
  id,
  state,
  isUnconfirmed,
}: Pick<OrderStatus, "state" | "isUnconfirmed"> & { id: OrderId }): string {
  return resultPath(isUnconfirmed ? "processing" : paymentStatusOf[state], id);
}

/** A failure without a reason of its own is `other`. */
export function failureClassOf({ failure }: { failure: string | null }): FailureClass {
  return failureClasses.find((known) => known === failure) ?? "other";
}

// Refunds and disputes ------------------------------------------------------------------------------------------------

type MoneyLeft = Pick<OrderStatus, "state" | "dispute"> & {
  amountMinor: number;
  refundedMinor: number;
  /** What banks took of it. */
  lostMinor: number;
};

/** Whether a lost dispute took only a part of an order, and some of its money is left. */
export function isPartlyLost({ dispute, amountMinor, refundedMinor, lostMinor }: Omit<MoneyLeft, "state">): boolean {
  return dispute === "lost" && amountMinor - refundedMinor - lostMinor > 0;
}

/** Whether nothing is left of an order's money: all of it was refunded, or banks took the rest. */
export function isMoneyGone(order: MoneyLeft): boolean {
  return order.state === "refunded" || (order.dispute === "lost" && !isPartlyLost(order));
}

/**
 * Whether a payment that wasn't what was asked for isn't granted, and Stripe didn't send it back so far, so that an operator has to. What a bank
 * has returned in a dispute can't be refunded.
 */
export function isRefundOwed({ failure, state, dispute }: Pick<OrderStatus, "failure" | "state" | "dispute">): boolean {
  return failure === "mismatch-refunded" && state !== "refunded" && dispute !== "lost";
}

/** The account's last payment, if it isn't granted. `orders`: of an account without a plan; `ended`: the plan that it had last. */
export function undonePayment<Payment extends Pick<OrderStatus, "failure" | "paidAt">>(
  orders: readonly Payment[],
  ended: { startedAt: number } | null,
): Payment | null {
  const [last] = orders
    .filter((order) => order.paidAt !== null)
    .toSorted((left, right) => (right.paidAt ?? 0) - (left.paidAt ?? 0));
  const isOfLastPlan = (last?.paidAt ?? 0) >= (ended?.startedAt ?? 0);
  return last?.failure === "mismatch-refunded" && isOfLastPlan ? last : null;
}
