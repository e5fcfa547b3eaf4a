import type { App, Base, Secrets, Site } from "#app/app.ts";
import { base64urlToBytes } from "#app/core/text/base64url.ts";
import { isReauthenticated, reauthenticationMs, type Viewer } from "#app/modules/accounts/rules.ts";
import { newToken, type AccountId } from "#app/core/id.ts";
import { type ChallengeSubject, challengeLifeMs, challengeRefreshMs, writeChallenge } from "../challenges.rules.ts";
import { hostOf, type Passkey, passkeysMax, passkeyUser } from "../rules.ts";

type Deps = Base & Site & Secrets;

/** Ed25519, ECDSA on P-256, RSA: every authenticator supports one of them, and our runtimes verify all. */
export const algorithms = [-8, -7, -257];

/** Options to sign in for an unknown user, who chooses a passkey in the browser. Reads nothing. */
export async function offerSignIn(app: Deps) {
  return offer(await askFor(app, { ceremony: "sign-in", accountId: null }, "preferred"));
}

/** Options to re-authenticate with a known account's passkeys, with user verification (biometrics or PIN). */
export async function offerReauthentication(app: Deps, accountId: AccountId, passkeys: Passkey[]) {
  if (passkeys.length === 0) return null;
  return offer(await askFor(app, { ceremony: "reauthentication", accountId }, "required", passkeys));
}

/** Options to add a passkey. Null without a re-authentication, or if the account has the maximum. */
export async function offerPasskey(app: Deps & Pick<App, "product">, viewer: Viewer, passkeys: Passkey[]) {
  const now = app.clock();
  if (passkeys.length >= passkeysMax || !isReauthenticated(viewer.session, now)) return null;
  const { id, name, displayName } = passkeyUser(viewer.account);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: app.product.name,
    rpID: hostOf(app.origin),
    userID: base64urlToBytes(id),
    userName: name,
    userDisplayName: displayName,
    challenge: await challengeFor(app, { ceremony: "add", accountId: viewer.account.id }),
    timeout: challengeLifeMs,
    attestationType: "none",
    excludeCredentials: describe(passkeys),
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
    supportedAlgorithmIDs: algorithms,
  });
  return offer(options, viewer.session.provenAt + reauthenticationMs - now);
}

/** Leaves extensions out: none are used, and their values may not survive serialisation to the page. */
function offer<Options>(options: Options, endsInMs = challengeRefreshMs) {
  return { options: { ...options, extensions: undefined }, freshForMs: Math.min(challengeRefreshMs, endsInMs) };
}

async function askFor(
  app: Deps,
  subject: ChallengeSubject,
  userVerification: "preferred" | "required",
  passkeys?: Passkey[],
) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    allowCredentials: passkeys && describe(passkeys),
    rpID: hostOf(app.origin),
    challenge: await challengeFor(app, subject),
    timeout: challengeLifeMs,
    userVerification,
  });
}

function challengeFor(app: Deps, subject: ChallengeSubject): Promise<string> {
  return writeChallenge(app.pepper, subject, newToken(app.random), app.clock());
}

function describe(passkeys: Passkey[]) {
  return passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
}
