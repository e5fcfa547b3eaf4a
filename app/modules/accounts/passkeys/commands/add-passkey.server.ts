import { base64urlToBytes, bytesToBase64url } from "#app/core/text/base64url.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { findActiveSession, sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { newId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { checkChallenge } from "../challenges.rules.ts";
import { algorithms } from "../reads/offer-passkey.server.ts";
import { nameProvider } from "../providers.rules.ts";
import {
  hostOf,
  checkClientData,
  namePasskey,
  type Passkey,
  passkeysMax,
  readClientData,
  readRegistration,
  type Registration,
  type ResponseRefusal,
} from "../rules.ts";
import {
  addPasskeyRow as addRow,
  challengeConsumed,
  findUsedChallenge,
  hasRoom,
  listPasskeys,
  consumeChallenge,
} from "../queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

export type AddRefusal =
  | { reason: "proof-stale" }
  | ResponseRefusal
  /** This credential was added before, to any account. */
  | { reason: "passkey-known" }
  | { reason: "too-many-passkeys" };

/** Adds a passkey, logs the activity and emails the owner, in one batch, once however often the same response is sent. */
export async function addPasskey(
  app: Deps,
  viewer: Viewer,
  input: { name: string; text: string | undefined; device: string },
): Promise<Result<null, AddRefusal>> {
  const { db } = app;
  if (!isReauthenticated(viewer.session, app.clock())) return refused({ reason: "proof-stale" });
  const made = await checkRegistration(app, viewer, input);
  if (!made.ok) return made;
  const { passkey, challengeHash } = made.value;
  const attempt = { challengeHash, consumerId: passkey.id, now: passkey.createdAt };
  const email = await sealEmail(app, viewer.account.email, { template: "passkey-added", name: passkey.name });
  const { used, passkeys, activeSession, taken } = await batchNamed(db, {
    used: findUsedChallenge(db, challengeHash),
    passkeys: listPasskeys(db, viewer.account.id),
    activeSession: findActiveSession(db, viewer.session),
    taken: consumeChallenge(
      db,
      attempt,
      hasRoom(viewer.account.id, passkey.credentialId, sessionIsActive(viewer.session)),
    ),
    row: addRow(db, passkey, challengeConsumed(attempt)),
    activity: addActivity(db, newActivity(app, viewer.session.id, "passkey-added")),
    email: addEmail(db, email, justChanged),
  });
  if (taken.meta.changes === 1) {
    app.later(deliverEmail(app, email.id));
    return done(null);
  }
  if (activeSession.length === 0) return refused({ reason: "proof-stale" });
  if (used.length > 0) return refused({ reason: "challenge-used" });
  return refused({ reason: passkeys.length < passkeysMax ? "passkey-known" : "too-many-passkeys" });
}

/** Verifies an authenticator's registration for this account and one of our challenges. */
async function checkRegistration(
  app: Deps,
  viewer: Viewer,
  input: { name: string; text: string | undefined; device: string },
): Promise<Result<{ passkey: Omit<Passkey, "lastUsedAt">; challengeHash: string }, ResponseRefusal>> {
  if (!input.text) return refused({ reason: "passkey-missing" });
  const registration = readRegistration(input.text);
  const clientData = registration && readClientData(registration.response);
  if (!clientData) return refused({ reason: "passkey-malformed" });
  const foreign = checkClientData(clientData, { type: "webauthn.create", origin: app.origin });
  if (foreign) return refused(foreign);
  const accountId = viewer.account.id;
  const challenge = await checkChallenge(app.pepper, clientData.challenge, { ceremony: "add", accountId }, app.clock());
  if (!challenge.ok) return challenge;
  const made = await readMade(app, registration);
  if (!made) return refused({ reason: "passkey-refused" });
  const { counter, publicKey } = made;
  const provider = nameProvider(made.aaguid);
  const passkey = {
    id: newId("pky", app.random),
    accountId,
    credentialId: registration.id,
    publicKey,
    counter,
    transports: registration.response.transports,
    name: namePasskey(input.name, provider, input.device),
    provider,
    createdAt: app.clock(),
  };
  return done({ passkey, challengeHash: challenge.value });
}

/**
 * The remaining steps of WebAuthn 3 section 7.1, with the library's parsers. The library's own verification isn't used: it checks
 * attestations, which we never request, and includes 46 kB of certificates, some of which name addresses to fetch from.
 */
async function readMade(app: Deps, registration: Registration) {
  try {
    const library = await import("@simplewebauthn/server/helpers");
    const attested = library.decodeAttestationObject(base64urlToBytes(registration.response.attestationObject));
    const made = library.parseAuthenticatorData(attested.get("authData"));
    const { flags, counter, aaguid, credentialID, credentialPublicKey } = made;
    if (!aaguid || !credentialID || !credentialPublicKey) return null;
    const hostHash = await library.toHash(new TextEncoder().encode(hostOf(app.origin)));
    const algorithm = library.decodeCredentialPublicKey(credentialPublicKey).get(library.cose.COSEKEYS.alg);
    const fits =
      bytesToBase64url(made.rpIdHash) === bytesToBase64url(hostHash) &&
      bytesToBase64url(credentialID) === registration.id &&
      flags.up &&
      // The flags contradict each other (WebAuthn 3, section 6.1): no valid authenticator sets them so.
      (flags.be || !flags.bs) &&
      algorithms.some((known) => known === algorithm);
    return fits
      ? { counter, publicKey: bytesToBase64url(credentialPublicKey), aaguid: library.convertAAGUIDToString(aaguid) }
      : null;
  } catch {
    // The parsers throw on malformed input; their message contains parts of the response and must not be logged.
    return null;
  }
}
