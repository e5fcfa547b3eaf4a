import { base64urlToBytes } from "#app/core/text/base64url.ts";
import type { AccountId } from "#app/core/id.ts";
import type { Base, RequestScope, Secrets, Site } from "#app/app.ts";
import { activityFacts } from "#app/modules/accounts/activities.rules.ts";
import { addActivityOf, addRefusalOf } from "#app/modules/accounts/activities.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type ChallengeSubject, checkChallenge } from "../challenges.rules.ts";
import {
  type Assertion,
  counterIncreased,
  hostOf,
  isTheirs,
  checkClientData,
  type Passkey,
  readAssertion,
  readClientData,
  type ResponseRefusal,
} from "../rules.ts";
import { challengeConsumed, findPasskey, consumeChallenge } from "../queries.server.ts";

type Deps = Base & Site & Secrets & RequestScope;

/** Where a passkey was used. */
export type ClientDevice = { device: string; country: string | null };

/** A valid signature: the passkey, its counter, and the challenge, which isn't used up yet. */
export type Checked = {
  passkey: Passkey;
  emailCanonical: string;
  counter: number;
  isUserVerified: boolean;
  challengeHash: string;
};

export type AssertionRefusal =
  | ResponseRefusal
  /** The counter didn't increase: there is a copy of this passkey. */
  | { reason: "passkey-copied" };

/**
 * Verifies an authenticator's assertion. Its only effect: a passkey that turns out to be copied is logged for its owner. Checks without
 * our secrets come first, so that only a well-formed response to one of our challenges costs a query.
 */
export async function checkAssertion(
  app: Deps,
  text: string | undefined,
  subject: ChallengeSubject,
  origin: ClientDevice,
): Promise<Result<Checked, AssertionRefusal>> {
  if (!text) return refused({ reason: "passkey-missing" });
  const assertion = readAssertion(text);
  const clientData = assertion && readClientData(assertion.response);
  if (!clientData) return refused({ reason: "passkey-malformed" });
  const foreign = checkClientData(clientData, { type: "webauthn.get", origin: app.origin });
  if (foreign) return refused(foreign);
  const challenge = await checkChallenge(app.pepper, clientData.challenge, subject, app.clock());
  if (!challenge.ok) return challenge;
  const [found] = await findPasskey(app.db, assertion.id);
  if (!found) return refused({ reason: "passkey-refused", unknownId: assertion.id });
  const { passkey, emailCanonical } = found;
  const signed = await verify(app, assertion, clientData.challenge, passkey);
  if (!signed || !isTheirs(passkey, assertion.response.userHandle, subject.accountId)) {
    await logRefusedPasskey(app, subject.ceremony, passkey.accountId, "passkey-refused", origin);
    return refused({ reason: "passkey-refused" });
  }
  const challengeHash = challenge.value;
  if (!counterIncreased(passkey.counter, signed.newCounter)) {
    await noteCopy(app, passkey, challengeHash, origin);
    return refused({ reason: "passkey-copied" });
  }
  const isUserVerified = signed.userVerified;
  return done({ passkey, emailCanonical, counter: signed.newCounter, isUserVerified, challengeHash });
}

async function verify(app: Deps, assertion: Assertion, expectedChallenge: string, passkey: Passkey) {
  const { userHandle, ...response } = assertion.response;
  try {
    const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        response: { ...response, userHandle: userHandle || undefined },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: app.origin,
      expectedRPID: hostOf(app.origin),
      requireUserVerification: false,
      // `counterIncreased` compares the counter, with a separate refusal.
      credential: { id: passkey.credentialId, publicKey: base64urlToBytes(passkey.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo : null;
  } catch {
    // The library throws on anything invalid; its message contains parts of the response and must not be logged.
    return null;
  }
}

/** Logs a refused passkey of a known account: the signature was invalid, or the user wasn't verified although required. */
export async function logRefusedPasskey(
  app: Deps,
  ceremony: ChallengeSubject["ceremony"],
  accountId: AccountId,
  reason: "passkey-refused" | "user-unverified",
  { device, country }: ClientDevice,
): Promise<void> {
  const what = ceremony === "sign-in" ? "signed-in-by-passkey" : "confirmed-by-passkey";
  await app.db.batch([addRefusalOf(app.db, activityFacts(app, what, reason), { accountId, device, country })]);
}

/** One row in the owner's activity log per challenge, however often the same response is sent. */
async function noteCopy(app: Deps, passkey: Passkey, challengeHash: string, origin: ClientDevice): Promise<void> {
  const line = activityFacts(app, "passkey-copied", "passkey-copied");
  const attempt = { challengeHash, consumerId: line.id, now: line.now };
  const { accountId } = passkey;
  await app.db.batch([
    consumeChallenge(app.db, attempt),
    addActivityOf(app.db, { ...line, accountId, ...origin }, challengeConsumed(attempt)),
  ]);
}
