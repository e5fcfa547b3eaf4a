/**
 * Decides when a form that emails a stranger's address begins to ask for a challenge. Invariants: never at first, only once the emails or
 * wrong codes of the last hour make it suspicious; a challenge never gives more than the quotas that everyone has without one; someone who
 * can't solve it has smaller quotas, and no dead end. Called from the commands that email an address that anyone typed; what it counts is
 * counted anyway.
 */
import type { Proof } from "#app/core/challenge.ts";
import { type Quota, type QuotaReason, quotaWindowMs } from "./email-quotas.rules.ts";

/** How many fewer emails to a mailbox there are in an hour, in all and from one network, without a challenge. */
export const sendsOnlyWithChallenge = 1;
/** Wrong codes for an address in an hour, after which another code needs a challenge. */
export const triesWithoutChallengeMax = 5;
/** The same with an answer that couldn't be checked. */
export const triesUncheckedMax = 8;
/** The part of a network's and of the site's quota of emails that needs no challenge. */
export const shareWithoutChallenge = 1 / 4;
/** The same with an answer that couldn't be checked: an outage of the provider leaves room. */
export const shareUnchecked = 1 / 2;

type SuspicionQuota = Quota<"challenge-wanted">;

/**
 * The smaller quotas of a request, named like the full ones, so that they count the same uses. Empty if only the full ones apply. `tries`
 * is the name under which the address's wrong codes are counted, null where the answer mustn't depend on the address.
 */
export function suspicionQuotas(proof: Proof, quotas: readonly Quota[], tries: string | null): SuspicionQuota[] {
  if (proof === "off" || proof === "passed") return [];
  const isUnchecked = proof === "unavailable";
  const share = isUnchecked ? shareUnchecked : shareWithoutChallenge;
  const maxOf: Record<QuotaReason, (max: number) => number | null> = {
    // The half minute between two emails applies to everyone.
    "too-soon": () => null,
    "too-many-emails": (max) => (tries === null ? null : max - sendsOnlyWithChallenge),
    "too-many-from-network": (max) => Math.floor(max * share),
    "too-many-from-site": (max) => Math.floor(max * share),
    "challenge-wanted": () => null,
  };
  const smaller = quotas.flatMap(({ name, max, windowMs, reason }) => {
    const own = maxOf[reason](max);
    return own === null ? [] : [{ name, max: own, windowMs, reason: "challenge-wanted" as const }];
  });
  if (tries === null) return smaller;
  const max = isUnchecked ? triesUncheckedMax : triesWithoutChallengeMax;
  return [...smaller, { name: tries, max, windowMs: quotaWindowMs, reason: "challenge-wanted" }];
}
