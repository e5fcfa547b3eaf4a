import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { cardByLast4 } from "../../money/cards.ts";
import { formatAmount } from "../../money/money.ts";
import { differences } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/find.ts";
import { disputeOf } from "../../objects/payments/dispute-shape.ts";
import { newRefund, type RefundWish } from "../../objects/payments/refund-shape.ts";
import { invalid } from "../../http/stripe-errors.ts";

const SECONDS_PER_DAY = 86_400;
/** Refunds that aren't immediate complete when the clock has advanced this far. */
const REFUND_DAYS = 5;

/** Creates a refund. As at Stripe it counts on the charge from now on, also while the refund is pending. */
export function refundCharge(books: Books, charge: Stripe.Charge, wish: RefundWish): Stripe.Refund {
  const amount = wish.amount ?? charge.amount - charge.amount_refunded;
  requireRefundable(books, charge, amount);
  const course = courseOf(charge);
  const refund = newRefund(books, charge, { ...wish, amount }, course === "settles-later" ? "pending" : "succeeded");
  books.store.put("refund", refund, charge.customer === null ? null : idOf(charge.customer));
  books.record("refund.created", refund);
  const refunded = withRefunded(books, charge, charge.amount_refunded + amount);
  books.record("charge.refunded", refunded, differences(charge, refunded));
  if (course !== "at-once")
    books.clock.setTimer("refund-settles", refund.id, books.clock.now() + REFUND_DAYS * SECONDS_PER_DAY);
  return refund;
}

/** The bank has decided: a pending refund succeeds, and a refund that fails only now had looked successful. */
export function settleRefund(books: Books, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status === "pending") {
    const { pending_reason: _, ...rest } = refund;
    return saveRefund(books, refund, { ...rest, status: "succeeded" });
  }
  const failed = saveRefund(books, refund, {
    ...refund,
    failure_reason: "expired_or_canceled_card",
    status: "failed",
  });
  books.record("refund.failed", failed);
  const charge = demand(books, "charge", refund.charge === null ? "" : idOf(refund.charge));
  withRefunded(books, charge, charge.amount_refunded - refund.amount);
  return failed;
}

export function saveRefund(books: Books, before: Stripe.Refund, after: Stripe.Refund): Stripe.Refund {
  books.store.put("refund", after);
  books.record("refund.updated", after, differences(before, after));
  if (before.status !== after.status) books.record("charge.refund.updated", after, differences(before, after));
  return after;
}

const withRefunded = (books: Books, charge: Stripe.Charge, amount: number): Stripe.Charge =>
  books.store.put("charge", { ...charge, amount_refunded: amount, refunded: amount === charge.amount });

/** Refunds to bank debits take days; so do those to some of Stripe's test cards, by number. */
function courseOf(charge: Stripe.Charge): "at-once" | "settles-later" | "fails-later" {
  const { card } = charge.payment_method_details ?? {};
  return card === undefined ? "settles-later" : (cardByLast4(card.last4 ?? "")?.refund ?? "at-once");
}

function requireRefundable(books: Books, charge: Stripe.Charge, amount: number): void {
  if (charge.status !== "succeeded") throw invalid(`Charge ${charge.id} hasn't succeeded; there is nothing to refund.`);
  const dispute = disputeOf(books, charge);
  if (dispute !== null && !dispute.is_charge_refundable)
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" });
  if (charge.refunded)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount < 1) throw invalid("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  const left = charge.amount - charge.amount_refunded;
  if (amount <= left) return;
  const asked = formatAmount(amount, charge.currency);
  // Stripe gives this refusal no error code.
  throw invalid(
    charge.amount_refunded === 0
      ? `Refund amount (${asked}) is greater than charge amount (${formatAmount(left, charge.currency)})`
      : `Refund amount (${asked}) is greater than unrefunded amount on charge (${formatAmount(left, charge.currency)})`,
    { param: "amount" },
  );
}
