/** The form is accepted with a challenge, or later. `typed` refills it. */
export type ChallengeRefusal = {
  reason: "challenge-wanted";
  retryAt: number;
  seconds: number;
  text: string;
  typed: Record<string, string>;
  /** The feature that shows it, and what its field gets. */
  challenge: { feature: string; field: Record<string, string> };
};

export function isChallengeWanted(refusal: { reason: string } | undefined): refusal is ChallengeRefusal {
  return refusal !== undefined && "challenge" in refusal;
}
