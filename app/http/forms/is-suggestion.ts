import type { SuggestionRefusal } from "./refuse-mistyped-domain.ts";

/** Apart from its notice, which most forms don't load. */
export function isSuggestion(refusal: { reason: string } | undefined): refusal is SuggestionRefusal {
  return refusal?.reason === "domain-mistyped";
}
