import type { Base, Secrets } from "#app/app.ts";
import { hashCode } from "#app/modules/accounts/codes/digits.rules.ts";
import { codeQuotas, codeLifeMs } from "#app/modules/accounts/codes/rules.ts";
import { addUnsentRequest } from "#app/modules/accounts/codes/requests.queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { newId, type AccountId, type RequestId } from "#app/core/id.ts";
import type { CodeRequest } from "./request-code.server.ts";

/**
 * Opens a re-authentication without an email, when the email quota is used up: a passkey can complete it within a code's lifetime. So an
 * attacker who exhausts an address's emails doesn't lock the owner out of what a passkey opens.
 */
export async function openUnsentRequest(
  app: Base & Secrets,
  {
    address,
    browserToken,
    carried,
    accountId,
  }: Omit<CodeRequest, "purpose" | "ip" | "again"> & { accountId: AccountId },
): Promise<{ requestId: RequestId }> {
  const now = app.clock();
  const id = newId("req", app.random);
  const browserHash = await hashToken(browserToken);
  const codeRequest = {
    id,
    address: address.canonical,
    addressTyped: address.original,
    browserHash,
    purpose: "reauthentication",
    codeHash: await hashCode(app.pepper, id, ""),
    carried,
    createdAt: now,
    expiresAt: now + codeLifeMs,
    accountId,
    emailId: null,
    // Its codes aren't emailed, so there is nothing to try, from any network.
    quotas: await codeQuotas(app.pepper, address.canonical, browserHash, ""),
  } as const;
  await app.db.batch(addUnsentRequest(app.db, codeRequest));
  return { requestId: id };
}
