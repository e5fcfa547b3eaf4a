import type Stripe from "stripe";

/**
 * The SDK's types describe its parsed result; on the wire a decimal is a string, and a string is what we store
 * and send. Hence the one cast.
 */
export const decimalOnTheWire = (units: number): Stripe.Decimal => String(units) as unknown as Stripe.Decimal;
