import type { ChargeId } from "#app/core/stripe/ids.ts";
import { alreadyRefundedCode } from "#app/core/stripe/provider-refusal.ts";
import { Stripe } from "stripe";
import { AlreadyRefundedError } from "../call-stripe.ts";
import type { Connection } from "./checkout.ts";

type RefundRequest = { charge: ChargeId; amount: number; metadata: Record<string, string> };

/**
 * Refunds a part of a charge, or all of it. Throws `AlreadyRefundedError` if less is left of the charge by now: the team may have refunded
 * it since it was read. Stripe has a code for a charge of which nothing is left, and none for a part.
 */
export async function requestRefund(
  { stripe, within }: Connection,
  request: RefundRequest,
  idempotencyKey: string,
): Promise<Stripe.Refund> {
  try {
    return await stripe.refunds.create(request, within({ idempotencyKey }));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    if (error.code === alreadyRefundedCode) throw new AlreadyRefundedError();
    if (error.code !== undefined) throw error;
    const { amount, amount_refunded: refunded } = await stripe.charges.retrieve(request.charge, {}, within());
    throw amount - refunded < request.amount ? new AlreadyRefundedError() : error;
  }
}

/** Whether another amount was requested under this key before, whatever Stripe answered then. */
export function isOtherAmount(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400;
}
