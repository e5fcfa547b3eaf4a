/** Their amounts end in 0 at Stripe: https://docs.stripe.com/currencies#three-decimal */
const THREE_DECIMALS = ["bhd", "jod", "kwd", "omr", "tnd"];

/** The least that Stripe charges: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const CHARGE_MIN: Record<string, number> = { czk: 1_500, dkk: 250, gbp: 30, nok: 300, pln: 200, sek: 300 };
const CHARGE_MIN_USUALLY = 50;
/** For the others it is worth half a US dollar. */
const CHARGE_MIN_THREE_DECIMALS = 160;

const stepOf = (currency: string): number => (THREE_DECIMALS.includes(currency) ? 10 : 1);

export const chargeMinOf = (currency: string): number =>
  CHARGE_MIN[currency] ?? (THREE_DECIMALS.includes(currency) ? CHARGE_MIN_THREE_DECIMALS : CHARGE_MIN_USUALLY);

/** To an amount that can be charged; a half goes away from zero, so that a credit is rounded as its charge was. */
export function roundAmount(exact: number, currency: string): number {
  const step = stepOf(currency);
  const rounded = Math.round(Math.abs(exact) / step) * step;
  return exact < 0 && rounded > 0 ? -rounded : rounded;
}

/**
 * What of an invoice's total is asked for now, and what the customer's balance is afterwards (negative is credit). What
 * is less than the least charge waits in the balance for the next invoice.
 */
export function settle(total: number, balance: number, currency: string): { due: number; endingBalance: number } {
  const owed = total + balance;
  return owed < chargeMinOf(currency) ? { due: 0, endingBalance: owed } : { due: owed, endingBalance: 0 };
}
