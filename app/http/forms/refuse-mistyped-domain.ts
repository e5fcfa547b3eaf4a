import { data } from "react-router";
import type { App } from "#app/app.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { offerSuggestion } from "#app/modules/accounts/commands/offer-suggestion.server.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { describeVisitor } from "../request/visitor.ts";

/** The domain looks mistyped. `typed` refills the form; the same address sent again is accepted. */
export type SuggestionRefusal = {
  reason: "domain-mistyped";
  status: 422;
  suggestion: string;
  typed: Record<string, string>;
};

/** The answer to an address with a mistyped domain. Null: the domain looks right, or the network is rate-limited and refused anyway. */
export async function refuseMistypedDomain(
  app: App,
  request: Request,
  address: EmailAddress,
  typed: Record<string, string | undefined>,
) {
  const limited = await findRateLimit(app, "codes", describeVisitor(request).ip);
  const suggestion = limited ? null : await offerSuggestion(app, address);
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
