/** Number of decimal digits of Stripe's minor unit: the only part of currencies.ts that pages need; the rest stays in the Worker. */

export const zeroDecimal = [
  "BIF",
  "CLP",
  "DJF",
  "GNF",
  "JPY",
  "KMF",
  "KRW",
  "MGA",
  "PYG",
  "RWF",
  "VND",
  "VUV",
  "XAF",
  "XOF",
  "XPF",
];
/** The last digit of a charge must be 0. */
export const threeDecimal = ["BHD", "JOD", "KWD", "OMR", "TND"];

/** Digits after the point: 2 for EUR and HUF, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return zeroDecimal.includes(currency) ? 0 : threeDecimal.includes(currency) ? 3 : 2;
}
