/** How many digits Stripe's minor unit has: all that pages need of the table in currencies.ts, which is the Worker's alone. */

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
/** Charges need a last digit of 0. */
export const threeDecimal = ["BHD", "JOD", "KWD", "OMR", "TND"];

/** Digits after the point: 2 for EUR and HUF, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return zeroDecimal.includes(currency) ? 0 : threeDecimal.includes(currency) ? 3 : 2;
}
