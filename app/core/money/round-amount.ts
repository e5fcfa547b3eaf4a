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
  return roundTo(amountStep(currency), exactMinor);
}

/**
 * The nearest tax. It is never charged on its own, so it may be finer than a charge: 0.001 KWD, where charges are multiples of 0.010. In ISK
 * both are whole.
 */
export function roundTax(exactMinor: number, currency: string): number {
  return roundTo(taxStep(currency), exactMinor);
}

/** A tax that we compute is a multiple of this, in minor units. */
export function taxStep(currency: string): number {
  return wholeUnitsOnly.includes(currency) ? 100 : 1;
}

function roundTo(step: number, exactMinor: number): number {
  const rounded = Math.round(Math.abs(exactMinor) / step) * step;
  return exactMinor < 0 && rounded > 0 ? -rounded : rounded;
}
