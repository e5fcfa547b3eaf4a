import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Failure } from "../../money/cards.ts";
import { endCharge, newCharge } from "../../objects/payments/charges.ts";
import { idOf } from "../../objects/demand.ts";

export function succeedIntent(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent {
  const pending = pendingCharge(tx, intent);
  const charge =
    pending === null ? newCharge(tx, intent, method, { status: "succeeded" }) : endCharge(tx, pending, null);
  tx.record("charge.succeeded", charge);
  const succeeded = save(tx, intent, {
    status: "succeeded",
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: method.id,
    next_action: null,
    last_payment_error: null,
  });
  tx.record("payment_intent.succeeded", succeeded);
  return succeeded;
}

export function failIntent(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  failure: Failure,
): Stripe.PaymentIntent {
  const pending = pendingCharge(tx, intent);
  const charge =
    pending === null ? newCharge(tx, intent, method, { status: "failed", failure }) : endCharge(tx, pending, failure);
  tx.record("charge.failed", charge);
  return refuseIntent(tx, { ...intent, latest_charge: charge.id }, method, failure);
}

/** A refusal before the bank was asked for money, for example when the cardholder doesn't confirm: there is no charge. */
export function refuseIntent(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  failure: Failure,
): Stripe.PaymentIntent {
  const isOfCard = ["card_declined", "expired_card"].includes(failure.code);
  const failed = save(tx, intent, {
    status: "requires_payment_method",
    payment_method: null,
    next_action: null,
    last_payment_error: {
      type: isOfCard ? "card_error" : "invalid_request_error",
      code: failure.code,
      message: failure.message,
      payment_method: method,
      doc_url: `https://stripe.com/docs/error-codes/${failure.code.replaceAll("_", "-")}`,
      ...(failure.declineCode !== undefined && { decline_code: failure.declineCode }),
      ...(isOfCard && typeof intent.latest_charge === "string" && { charge: intent.latest_charge }),
    },
  });
  tx.record("payment_intent.payment_failed", failed);
  return failed;
}

export function askHolder(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  url: string,
): Stripe.PaymentIntent {
  const waiting = save(tx, intent, {
    status: "requires_action",
    payment_method: method.id,
    last_payment_error: null,
    next_action: { type: "redirect_to_url", redirect_to_url: { return_url: null, url } },
  });
  tx.record("payment_intent.requires_action", waiting);
  return waiting;
}

export function debitBank(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent {
  const charge = newCharge(tx, intent, method, { status: "pending" });
  tx.record("charge.pending", charge);
  const processing = save(tx, intent, {
    status: "processing",
    latest_charge: charge.id,
    payment_method: method.id,
    next_action: null,
    last_payment_error: null,
  });
  tx.record("payment_intent.processing", processing);
  return processing;
}

export function cancelIntent(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason,
): void {
  const canceled = save(tx, intent, {
    status: "canceled",
    canceled_at: tx.clock.now(),
    cancellation_reason: reason,
    next_action: null,
  });
  tx.record("payment_intent.canceled", canceled);
}

const save = (
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  changes: Partial<Stripe.PaymentIntent>,
): Stripe.PaymentIntent => tx.store.put("payment_intent", { ...intent, ...changes });

function pendingCharge(tx: Transaction, intent: Stripe.PaymentIntent): Stripe.Charge | null {
  const charge = intent.latest_charge === null ? null : tx.store.find("charge", idOf(intent.latest_charge));
  return charge?.status === "pending" ? charge : null;
}
