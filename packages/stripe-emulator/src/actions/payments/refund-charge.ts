import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { cardByLast4 } from "../../money/cards.ts";
import { requireStep } from "../../money/currencies.ts";
import { formatAmount } from "../../money/money.ts";
import { differences } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { moveMoney } from "../../objects/payments/balance-transactions.ts";
import { disputeOf } from "../../objects/payments/dispute-shape.ts";
import { newRefund, type RefundInput } from "../../objects/payments/refund-shape.ts";
import { invalid } from "../../http/stripe-errors.ts";

const SECONDS_PER_DAY = 86_400;
/** Refunds that aren't immediate complete when the clock has advanced this far. */
const REFUND_DAYS = 5;

/** Creates a refund. As at Stripe it counts on the charge from now on, also while the refund is pending. */
export function refundCharge(tx: Transaction, charge: Stripe.Charge, input: RefundInput): Stripe.Refund {
  const amount = input.amount ?? charge.amount - charge.amount_refunded;
  requireRefundable(tx, charge, amount);
  const course = courseOf(charge);
  const refund = newRefund(tx, charge, { ...input, amount }, course === "settles-later" ? "pending" : "succeeded");
  tx.store.put("refund", refund, charge.customer === null ? null : idOf(charge.customer));
  tx.record("refund.created", refund);
  const refunded = withRefunded(tx, charge, charge.amount_refunded + amount);
  tx.record("charge.refunded", refunded, differences(charge, refunded));
  if (course !== "at-once")
    tx.clock.setTimer("refund-settles", refund.id, tx.clock.now() + REFUND_DAYS * SECONDS_PER_DAY);
  return refund;
}

/** The bank has decided: a pending refund succeeds, and a refund that fails only now had looked successful. */
export function settleRefund(tx: Transaction, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status === "pending") {
    const { pending_reason: _, ...rest } = refund;
    return saveRefund(tx, refund, { ...rest, status: "succeeded" });
  }
  const { id: movement } = moveMoney(tx, {
    amount: refund.amount,
    currency: refund.currency,
    description: "REFUND FAILURE",
    source: refund.id,
    type: "refund_failure",
    category: "refund_failure",
  });
  const failed = saveRefund(tx, refund, {
    ...refund,
    failure_balance_transaction: movement,
    failure_reason: "expired_or_canceled_card",
    status: "failed",
  });
  tx.record("refund.failed", failed);
  const charge = demand(tx, "charge", refund.charge === null ? "" : idOf(refund.charge));
  withRefunded(tx, charge, charge.amount_refunded - refund.amount);
  return failed;
}

export function saveRefund(tx: Transaction, before: Stripe.Refund, after: Stripe.Refund): Stripe.Refund {
  tx.store.put("refund", after);
  tx.record("refund.updated", after, differences(before, after));
  if (before.status !== after.status) tx.record("charge.refund.updated", after, differences(before, after));
  return after;
}

const withRefunded = (tx: Transaction, charge: Stripe.Charge, amount: number): Stripe.Charge =>
  tx.store.put("charge", { ...charge, amount_refunded: amount, refunded: amount === charge.amount });

/** Refunds to bank debits take days; so do those to some of Stripe's test cards, by number. */
function courseOf(charge: Stripe.Charge): "at-once" | "settles-later" | "fails-later" {
  const { card } = charge.payment_method_details ?? {};
  return card === undefined ? "settles-later" : (cardByLast4(card.last4 ?? "")?.refund ?? "at-once");
}

function requireRefundable(tx: Transaction, charge: Stripe.Charge, amount: number): void {
  if (charge.status !== "succeeded") throw invalid(`Charge ${charge.id} hasn't succeeded; there is nothing to refund.`);
  const dispute = disputeOf(tx, charge);
  if (dispute !== null && !dispute.is_charge_refundable)
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" });
  if (charge.refunded)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount < 1) throw invalid("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  requireStep(amount, charge.currency, "amount");
  const left = charge.amount - charge.amount_refunded;
  if (amount <= left) return;
  const requested = formatAmount(amount, charge.currency);
  // Stripe gives this refusal no error code.
  throw invalid(
    charge.amount_refunded === 0
      ? `Refund amount (${requested}) is greater than charge amount (${formatAmount(left, charge.currency)})`
      : `Refund amount (${requested}) is greater than unrefunded amount on charge (${formatAmount(left, charge.currency)})`,
    { param: "amount" },
  );
}
