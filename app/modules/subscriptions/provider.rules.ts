/** The failures of a call to Stripe. Every command that calls it can be refused for these. */
export type ProviderTrouble =
  /** No API key is configured: nothing is sold yet. */
  | { reason: "not-on-sale" }
  /** `isFinal`: Stripe answered with an error of its own, which it repeats under the same idempotency key. */
  | { reason: "provider-unreachable"; isFinal: boolean }
  | { reason: "provider-refused"; code: string };

/** The object doesn't exist at Stripe (any more). */
export function isUnknownThere(refusal: { reason: string; code?: string }): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "resource_missing";
}

/** Refusals that the buyer can do something about. */
export type BuyerTrouble = { reason: "email-refused" } | { reason: "amount-too-small" };

/** The codes of Stripe that have a message of their own; any other failure is returned as it is. */
export function nameTrouble<Trouble extends { reason: string; code?: string }>(
  trouble: Trouble,
): Trouble | BuyerTrouble {
  if (trouble.reason !== "provider-refused") return trouble;
  if (trouble.code === "email_invalid") return { reason: "email-refused" };
  return trouble.code === "amount_too_small" ? { reason: "amount-too-small" } : trouble;
}

/** The plan can't be changed now, because of how it is paid or because it isn't. */
export function isChangeBlocked(refusal: { reason: string; code?: string }): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "change-blocked";
}
