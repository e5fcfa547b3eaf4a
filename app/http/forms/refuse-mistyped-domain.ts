import { data } from "react-router";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { suggestAddress } from "#app/core/text/suggest-domain.ts";

/** The domain looks mistyped. `typed` refills the form; *Keep* in the notice above it sends the form as it is. */
export type SuggestionRefusal = {
  reason: "domain-mistyped";
  status: 422;
  suggestion: string;
  typed: Record<string, string>;
};

/** A parameter of the URL that the form is sent to: the user has seen the suggestion, and keeps the domain. */
export const keepDomainParameter = "keep-domain";

/** The answer to an address with a mistyped domain. Null if the domain looks right, or if the user keeps it. */
export function refuseMistypedDomain(url: URL, address: EmailAddress, typed: Record<string, string | undefined>) {
  const suggestion = url.searchParams.has(keepDomainParameter) ? null : suggestAddress(address);
  if (suggestion === null) return null;
  const filled = Object.entries(typed).filter((field): field is [string, string] => field[1] !== undefined);
  const refusal: SuggestionRefusal = {
    reason: "domain-mistyped",
    status: 422,
    suggestion,
    typed: { ...Object.fromEntries(filled), email: address.original },
  };
  return data(refusal, { status: refusal.status });
}
