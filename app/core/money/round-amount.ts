/**
 * What Stripe charges and refunds: multiples of the currency's step. Invariant: an amount that we compute, rather than read from Stripe
 * or the config, is made by `roundAmount`.
 */
import { threeDecimal } from "./minor-digits.ts";

/** Two decimal digits, both of which must be 0. HUF and TWD are whole units in payouts only. */
const wholeUnitsOnly = ["ISK", "UGX"];

/** A charge or refund must be a multiple of this, in minor units. Source: https://docs.stripe.com/currencies#special-cases */
export function amountStep(currency: string): number {
  return threeDecimal.includes(currency) ? 10 : wholeUnitsOnly.includes(currency) ? 100 : 1;
}

/** The nearest amount that can be charged or refunded. Halves round away from zero, so that a refund is rounded like its charge. */
export function roundAmount(exactMinor: number, currency: string): number {
  const step = amountStep(currency);
  const rounded = Math.round(Math.abs(exactMinor) / step) * step;
  return exactMinor < 0 && rounded > 0 ? -rounded : rounded;
}
