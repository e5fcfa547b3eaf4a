import type { Base, Secrets, Site } from "#app/app.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { isReservedAddress } from "#app/core/text/reserved-address.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { generateCode, hashCode } from "#app/modules/accounts/codes/digits.rules.ts";
import { changeCode, findEmailedRequest } from "#app/modules/accounts/codes/requests.queries.server.ts";

type DemoCodeRefusal = { reason: "no-demo" } | { reason: "address-not-reserved" } | { reason: "no-code-requested" };

/**
 * Gives the newest request of a demo address another code, and returns it: no email brought the first one, and no code is stored in a
 * readable form. Refused in production, and for any address that could have a mailbox.
 */
export async function replaceDemoCode(
  { db, clock, pepper, random, isProduction }: Base & Secrets & Pick<Site, "isProduction">,
  { canonical }: EmailAddress,
): Promise<Result<{ code: string; purpose: string; expiresAt: number }, DemoCodeRefusal>> {
  if (isProduction) return refused({ reason: "no-demo" });
  if (!isReservedAddress(canonical)) return refused({ reason: "address-not-reserved" });
  const [waiting] = await findEmailedRequest(db, canonical, clock());
  if (!waiting) return refused({ reason: "no-code-requested" });
  const code = generateCode(random);
  const [changed] = await changeCode(db, waiting.id, await hashCode(pepper, waiting.id, code));
  if (!changed) return refused({ reason: "no-code-requested" });
  return done({ code, purpose: waiting.purpose, expiresAt: waiting.expiresAt });
}
