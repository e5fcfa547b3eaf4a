import type { PaymentIntentId, PaymentMethodId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import type { PaymentState } from "#app/core/stripe/states.ts";
import { idOf, ms } from "#app/integrations/stripe/fields.ts";

/** One payment attempt, as far as we read it. */
export type ProviderPayment = {
  id: PaymentIntentId;
  state: PaymentState;
  failure: string | null;
  /** The method last tried. Null if none was tried so far, or if Stripe doesn't say. */
  methodId: PaymentMethodId | null;
  createdAt: number;
};

/** A payment that requires another payment method has failed before; one that was never tried has not. */
export function readPayment(payment: Stripe.PaymentIntent): ProviderPayment {
  const failure = payment.last_payment_error?.decline_code ?? payment.last_payment_error?.code ?? null;
  // After a decline the payment itself has no method any more, but its error has.
  const methodId = idOf(payment.payment_method) ?? idOf(payment.last_payment_error?.payment_method);
  return {
    id: idOf(payment),
    state: paymentState(payment, failure),
    failure,
    methodId,
    createdAt: ms(payment.created),
  };
}

function paymentState(payment: Stripe.PaymentIntent, failure: string | null): PaymentState {
  switch (payment.status) {
    case "succeeded":
      return "succeeded";
    case "processing":
      return "processing";
    case "requires_action":
      return "needs-action";
    case "requires_payment_method":
      return failure ? "failed" : "other";
    default:
      return "other";
  }
}
