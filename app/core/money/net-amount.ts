/**
 * How much of a total is charged now and what changes on the customer's balance, by Stripe's rules: credit is deducted, debt is added,
 * and an amount below the minimum charge is carried to the next charge. Minor units throughout.
 */
import { minimumCharge } from "./currencies.ts";

/** `total = amount + credit - carried`. */
export type NetAmount = {
  amountMinor: number;
  /** Credit that was used. Negative if credit was added to the balance. */
  creditMinor: number;
  /** Amount carried over from an earlier charge. Negative if an amount is carried to the next one. */
  carriedMinor: number;
};

/** `creditMinor` is the balance before the charge. It is negative if the customer owes it. */
export function netAmountFor(totalMinor: number, creditMinor: number, currency: string): NetAmount {
  const owed = totalMinor - creditMinor;
  const amountMinor = owed < minimumCharge(currency) ? 0 : owed;
  return { amountMinor, ...balanceChange(creditMinor, amountMinor - owed) };
}

/** Splits a balance change into credit (positive) and carried debt (negative). */
export function balanceChange(before: number, after: number): Pick<NetAmount, "creditMinor" | "carriedMinor"> {
  return {
    creditMinor: Math.max(0, before) - Math.max(0, after),
    carriedMinor: Math.max(0, -before) - Math.max(0, -after),
  };
}
