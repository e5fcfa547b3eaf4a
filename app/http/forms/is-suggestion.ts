import type { SuggestionRefusal } from "./refuse-mistyped-domain.ts";

/** In a file of its own: every form asks, and few load the notice. */
export function isSuggestion(refusal: { reason: string } | undefined): refusal is SuggestionRefusal {
  return refusal?.reason === "domain-mistyped";
}
