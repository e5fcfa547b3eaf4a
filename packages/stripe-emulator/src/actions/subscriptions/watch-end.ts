import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { CancelAt } from "../../objects/subscriptions/subscription-forms.ts";
import { periodOf } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid } from "../../http/stripe-errors.ts";
import type { Cancellation } from "./cancel-now.ts";

interface EndInput {
  cancelAtPeriodEnd?: boolean | undefined;
  cancelAt?: CancelAt | undefined;
  cancellation?: Cancellation | undefined;
}

/**
 * The subscription's end fields when its end is set or removed. As in Stripe's flexible billing mode a timestamp leaves
 * `cancel_at_period_end` false, even at the end of the period, and `cancel_at_period_end=false` doesn't remove a timestamp.
 */
export function endOf(tx: Transaction, before: Stripe.Subscription, input: EndInput): Partial<Stripe.Subscription> {
  const details: Stripe.Subscription.CancellationDetails = {
    comment: input.cancellation?.comment ?? before.cancellation_details?.comment ?? null,
    feedback: input.cancellation?.feedback ?? before.cancellation_details?.feedback ?? null,
    feedback_option: null,
    reason: before.cancellation_details?.reason ?? null,
  };
  const end = chosenEnd(tx, before, input);
  if (end === undefined) return { cancellation_details: details };
  if (end === null)
    return {
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { ...details, reason: null },
    };
  return {
    cancel_at: end,
    cancel_at_period_end: input.cancelAtPeriodEnd === true,
    canceled_at: tx.clock.now(),
    cancellation_details: { ...details, reason: "cancellation_requested" },
  };
}

/** The end that the input asks for. Undefined leaves it unchanged; null lets the subscription continue. */
function chosenEnd(tx: Transaction, before: Stripe.Subscription, input: EndInput): number | null | undefined {
  const { end } = periodOf(before);
  if (input.cancelAtPeriodEnd === true) return end;
  if (input.cancelAtPeriodEnd === false) return before.cancel_at_period_end ? null : undefined;
  switch (input.cancelAt) {
    case undefined:
      return undefined;
    case "":
      return null;
    // All items share one period.
    case "min_period_end":
    case "max_period_end":
      return end;
    default:
      if (input.cancelAt > tx.clock.now()) return input.cancelAt;
      throw invalid("The `cancel_at` date must be in the future.", { param: "cancel_at" });
  }
}

/** The end of a period already has a timer; any other time needs one. */
export function watchEnd(
  tx: Transaction,
  { id, cancel_at: end, cancel_at_period_end: isPeriodEnd }: Stripe.Subscription,
): void {
  if (end === null || isPeriodEnd) tx.clock.clearTimer("subscription-cancels", id);
  else tx.clock.setTimer("subscription-cancels", id, end);
}

/** Whether no further period begins. */
export const endsWithPeriod = (subscription: Stripe.Subscription): boolean =>
  subscription.cancel_at_period_end ||
  (subscription.cancel_at !== null && subscription.cancel_at <= periodOf(subscription).end);
