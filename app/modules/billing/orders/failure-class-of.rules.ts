/**
 * Decides which reason a customer is shown for a failed payment. Invariant: a failure without a reason of its own is `other`. Called from
 * the pages of payments, orders and plans.
 */
import { type FailureClass, failureClasses } from "./rules.ts";

export function failureClassOf({ failure }: { failure: string | null }): FailureClass {
  return failureClasses.find((known) => known === failure) ?? "other";
}
