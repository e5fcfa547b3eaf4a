import type { SuggestionRefusal } from "./refuse-mistyped-domain.ts";

/** Not in the notice's file, because every form needs this and few load the notice. */
export function isSuggestion(refusal: { reason: string } | undefined): refusal is SuggestionRefusal {
  return refusal?.reason === "domain-mistyped";
}
