/** Decides which failures of a call to Stripe have a message of their own. Called from the commands that call Stripe. */
import { isPriceDifferent, type ProviderRefusal } from "#app/core/stripe/provider-refusal.ts";

/** The failures of a call to Stripe, or that there is no API key: nothing is sold yet. Every command that calls it can be refused for these. */
export type ProviderFailure = { reason: "not-on-sale" } | ProviderRefusal;

/** Refusals that the buyer can do something about. */
export type BuyerTrouble =
  | { reason: "email-refused" }
  | { reason: "amount-too-small" }
  /** Stripe would charge another price than the one shown: the plan isn't on sale until the two are the same. */
  | { reason: "price-differs" };

/** Stripe's codes that have their own message; any other failure is returned unchanged. */
export function translateFailure<Trouble extends { reason: string; code?: string }>(
  trouble: Trouble,
): Trouble | BuyerTrouble {
  if (trouble.reason !== "provider-refused") return trouble;
  if (isPriceDifferent(trouble)) return { reason: "price-differs" };
  if (trouble.code === "email_invalid") return { reason: "email-refused" };
  return trouble.code === "amount_too_small" ? { reason: "amount-too-small" } : trouble;
}

/** The plan can't be changed now, because of how it is paid or because it isn't. */
export function isChangeBlocked(refusal: { reason: string; code?: string }): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "change-blocked";
}
