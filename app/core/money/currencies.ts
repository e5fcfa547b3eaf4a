/**
 * Stripe's currencies: minor units per unit, chargeable amounts and the published minimum. Stripe's minor unit differs from ICU's for 14
 * of them (HUF has two digits at Stripe, none in ICU). The Stripe emulator has its own copy; a test compares the two. Source:
 * https://docs.stripe.com/currencies (presentment currencies, zero-decimal, three-decimal, special cases, minimum amounts).
 */
import { threeDecimal, zeroDecimal } from "./minor-digits.ts";

const twoDecimal = (
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK " +
  "DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD KES KGS KHR KYD KZT LAK LBP " +
  "LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD " +
  "RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH UGX USD UYU UZS WST XCD XCG YER ZAR ZMW"
).split(" ");

export const currencies: readonly string[] = [...zeroDecimal, ...twoDecimal, ...threeDecimal].toSorted();

/** Exceptions to the usual minimum. Without a published minimum, half a US dollar in the settlement currency applies. */
const minimumCharges: Record<string, number> = {
  AED: 200,
  CZK: 1500,
  DKK: 250,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  PLN: 200,
  RON: 200,
  SEK: 300,
  THB: 1000,
};
/** Stripe's minimum charge in most currencies, in minor units; the table lists the exceptions. */
const usualMinimum = 50;
/** About half a US dollar in the least valuable of these currencies. */
const threeDecimalMinimum = 160;

/** Stripe's minimum charge, in minor units. */
export function minimumCharge(currency: string): number {
  return minimumCharges[currency] ?? (threeDecimal.includes(currency) ? threeDecimalMinimum : usualMinimum);
}
