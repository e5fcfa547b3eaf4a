import { featurePages } from "#app/features.pages.ts";
import { isChallengeWanted } from "#app/http/forms/is-challenge-wanted.ts";

/** The challenge that a form was refused for want of, within the form. */
export function ChallengeField({ refusal }: { refusal: { reason: string } | undefined }) {
  if (!isChallengeWanted(refusal)) return null;
  const { feature, field } = refusal.challenge;
  const Field = featurePages.find(({ name }) => name === feature)?.ChallengeField;
  return Field ? <Field {...field} /> : null;
}
