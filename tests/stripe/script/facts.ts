import Stripe from "stripe";
import type { Facts, StepContext } from "./step-context.ts";

/** What a renewal was, in a few fields. */
export const factsOf = (invoice: Stripe.Invoice): Facts => ({
  billingReason: invoice.billing_reason,
  status: invoice.status,
  total: invoice.total,
  due: invoice.amount_due,
  paid: invoice.amount_paid,
  startingBalance: invoice.starting_balance,
  endingBalance: invoice.ending_balance,
  discounts: invoice.total_discount_amounts?.map(({ amount }) => amount) ?? [],
});

/** The card of the newest charge. */
export async function paidWith(step: StepContext, customer: Stripe.Customer): Promise<string | null> {
  const { data } = await step.stripe.charges.list({ customer: customer.id, limit: 1 });
  return data[0]?.payment_method_details?.card?.last4 ?? null;
}

/** How a call was refused; null: it wasn't. */
export async function refusalOf(call: PromiseLike<unknown>): Promise<Facts | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { statusCode, rawType, code, decline_code, param } = error;
    return { statusCode, rawType, code, decline_code, param };
  }
}
