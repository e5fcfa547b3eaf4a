/** What comes back from the payment provider in place of what was asked for. Every act that asks it can be refused for these. */
export type ProviderTrouble =
  /** There is no key for it: nothing is sold here so far. */
  | { reason: "not-on-sale" }
  /** `isFinal`: it did answer, with a fault of its own, and would replay that answer under the same idempotency key. */
  | { reason: "provider-unreachable"; isFinal: boolean }
  | { reason: "provider-refused"; code: string };

/** The provider knows nothing of that name any more: somebody deleted it there. */
export function isUnknownThere(refusal: { reason: string; code?: string }): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "resource_missing";
}

/** Refusals that the person who buys can do something about. */
export type BuyerTrouble = { reason: "email-refused" } | { reason: "amount-too-small" };

/** The provider's codes that have a message of their own; any other trouble is returned as it is. */
export function nameTrouble<Trouble extends { reason: string; code?: string }>(
  trouble: Trouble,
): Trouble | BuyerTrouble {
  if (trouble.reason !== "provider-refused") return trouble;
  if (trouble.code === "email_invalid") return { reason: "email-refused" };
  return trouble.code === "amount_too_small" ? { reason: "amount-too-small" } : trouble;
}

/** The plan can't be changed now: how it is paid doesn't allow it, or it isn't paid. */
export function isChangeBlocked(refusal: { reason: string; code?: string }): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "change-blocked";
}
