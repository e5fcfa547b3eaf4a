import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, RequestScope, Secrets, Site } from "#app/app.ts";
import { type Code, checkRequest, type TryRefusal } from "#app/modules/accounts/codes/rules.ts";
import { consumeRequest, requestIsOpen } from "#app/modules/accounts/codes/requests.queries.server.ts";
import { codeConsumed, findCode, retireSiblings } from "#app/modules/accounts/codes/queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type AssertionRefusal, checkAssertion, logRefusedPasskey } from "./check-assertion.server.ts";
import { challengeConsumed, findUsedChallenge, passkeyFits, consumeChallenge } from "../queries.server.ts";
import { type Browser, prepareSession } from "./sign-in-with-passkey.server.ts";
import type { Proven } from "#app/modules/accounts/proof.rules.ts";

type Deps = Base & Site & Secrets & RequestScope;

type PasskeyProofRefusal =
  | AssertionRefusal
  | TryRefusal
  /** It signed without verifying the user (biometrics or PIN). */
  | { reason: "user-unverified" };

/**
 * Completes a request with a passkey instead of the eight digits: the same new session and the same next page. Wrong tries at the code
 * don't count here, so an attacker who exhausts a user's codes doesn't block their passkeys.
 */
export async function proveWithPasskey(
  app: Deps,
  codeRequest: Code,
  text: string | undefined,
  browser: Browser,
): Promise<Result<Proven, PasskeyProofRefusal>> {
  const { db } = app;
  const { accountId, purpose } = codeRequest;
  if (purpose !== "reauthentication" || accountId === null) return refused({ reason: "no-request" });
  const checked = await checkAssertion(app, text, { ceremony: "reauthentication", accountId }, browser);
  if (!checked.ok) return checked;
  if (!checked.value.isUserVerified) {
    await logRefusedPasskey(app, "reauthentication", accountId, "user-unverified", browser);
    return refused({ reason: "user-unverified" });
  }
  const opening = await prepareSession(app, checked.value, browser, "confirmed-by-passkey");
  const { attempt } = opening;
  const { counter } = checked.value;
  const { used, rows, taken } = await batchNamed(db, {
    used: findUsedChallenge(db, attempt.challengeHash),
    rows: findCode(db, codeRequest.id, codeRequest.browserHash),
    taken: consumeChallenge(
      db,
      attempt,
      passkeyFits(opening.passkey, counter),
      requestIsOpen(codeRequest.id, attempt.now),
    ),
    session: opening.statements,
    consumed: consumeRequest(db, codeRequest.id, attempt, challengeConsumed(attempt)),
    siblings: retireSiblings(db, codeRequest, codeConsumed(codeRequest.id, attempt.consumerId)),
  });
  if (taken.meta.changes === 1) {
    const { sessionToken } = opening;
    return done({
      requestId: codeRequest.id,
      accountId,
      sessionToken,
      purpose,
      isNew: false,
      carried: codeRequest.carried,
    });
  }
  if (used.length > 0) return refused({ reason: "challenge-used" });
  const [row] = rows;
  return refused((row && checkRequest(row, app.clock())) ?? { reason: "passkey-refused" });
}
