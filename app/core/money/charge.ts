/**
 * What of a total is asked for now, and what moves by the customer's balance, as the payment provider reckons: credit is taken off,
 * a debt is added, and what is less than its minimum charge waits for the next charge. Minor units throughout.
 */
import { minimumCharge } from "./currencies.ts";

/** `total = amount + credit - carried`. */
export type Charge = {
  amountMinor: number;
  /** Credit that was used; below zero, what was added to it. */
  creditMinor: number;
  /** What came over from an earlier charge; below zero, what goes over to the next one. */
  carriedMinor: number;
};

/** `creditMinor` is the balance before: below zero, the customer owes it. */
export function chargeFor(totalMinor: number, creditMinor: number, currency: string): Charge {
  const owed = totalMinor - creditMinor;
  const amountMinor = owed < minimumCharge(currency) ? 0 : owed;
  return { amountMinor, ...balanceMoved(creditMinor, amountMinor - owed) };
}

/** What became of a balance, in which credit is above zero and a debt below. */
export function balanceMoved(before: number, after: number): Pick<Charge, "creditMinor" | "carriedMinor"> {
  return {
    creditMinor: Math.max(0, before) - Math.max(0, after),
    carriedMinor: Math.max(0, -before) - Math.max(0, -after),
  };
}
