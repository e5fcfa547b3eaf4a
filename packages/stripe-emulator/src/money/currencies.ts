import { invalid } from "../http/stripe-errors.ts";

/** Stripe's own table, and not ICU's, which differs for 14 of them. Source: https://docs.stripe.com/currencies */
const ZERO_DECIMAL = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
/** Their amounts end in 0. */
const THREE_DECIMAL = "bhd jod kwd omr tnd".split(" ");
/** Their amounts have two digits, and end in 00. Those of huf and twd have to in payouts only. */
const WHOLE_UNITS_ONLY = ["isk", "ugx"];
const TWO_DECIMAL = (
  "aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc cve czk " +
  "dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr isk jmd kes kgs khr kyd kzt lak lbp " +
  "lkr lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd " +
  "rub sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah ugx usd uyu uzs wst xcd xcg yer zar zmw"
).split(" ");

export const CURRENCIES: readonly string[] = [...ZERO_DECIMAL, ...TWO_DECIMAL, ...THREE_DECIMAL].toSorted();

const CHARGE_MIN: Record<string, number> = {
  aed: 200,
  czk: 1_500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1_000,
};
const CHARGE_MIN_USUALLY = 50;
/** For these and for those without a published minimum it is the equivalent of half a US dollar. */
const CHARGE_MIN_THREE_DECIMALS = 160;

export const digitsOf = (currency: string): number =>
  ZERO_DECIMAL.includes(currency) ? 0 : THREE_DECIMAL.includes(currency) ? 3 : 2;

export const stepOf = (currency: string): number =>
  THREE_DECIMAL.includes(currency) ? 10 : WHOLE_UNITS_ONLY.includes(currency) ? 100 : 1;

export const chargeMinOf = (currency: string): number =>
  CHARGE_MIN[currency] ?? (THREE_DECIMAL.includes(currency) ? CHARGE_MIN_THREE_DECIMALS : CHARGE_MIN_USUALLY);

/** Refuses an amount that can't be charged in its currency. Source: https://docs.stripe.com/currencies#special-cases */
export function requireStep(amount: number, currency: string, param: string): void {
  const step = stepOf(currency);
  if (amount % step === 0) return;
  throw invalid(`Invalid amount: amounts in ${currency} must be evenly divisible by ${step}, and ${amount} isn't.`, {
    code: "parameter_invalid_integer",
    param,
  });
}

/** Rounds to an amount that can be charged; halves round away from zero, so that a credit is rounded like its charge. */
export function roundAmount(exact: number, currency: string): number {
  const step = stepOf(currency);
  const rounded = Math.round(Math.abs(exact) / step) * step;
  return exact < 0 && rounded > 0 ? -rounded : rounded;
}

/**
 * The part of an invoice's total that is due now, and the customer's balance afterwards (negative is credit). An amount below
 * the minimum charge stays in the balance for the next invoice.
 */
export function settle(total: number, balance: number, currency: string): { due: number; endingBalance: number } {
  const owed = total + balance;
  return owed < chargeMinOf(currency) ? { due: 0, endingBalance: owed } : { due: owed, endingBalance: 0 };
}
